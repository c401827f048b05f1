import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  sendPasswordResetEmail,
  verifyPasswordResetCode,
  type Auth,
} from 'firebase/auth';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { startFirebase } from '../backend/firebase.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { OFFERS_PASSWORD } from '../backend/settings.ts';
import { useRequest } from '../backend/source.ts';
import { isUselessLink, messageOf } from '../errors.ts';
import { actionLink, type ActionLink, type Mode } from '../sign-in/action-link.ts';
import { NewPasswordField } from '../sign-in/password-forms.tsx';
import { signInTexts } from '../sign-in/texts.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Failure, Loading, Message, Notice } from '../ui/message.tsx';

/** The page of the links in Firebase's messages, if the project's templates name it. */
export function Page() {
  const [link] = useState(() => actionLink(new URLSearchParams(location.search), location.origin));
  return link === undefined ? <Useless reason={signInTexts().action.incomplete} /> : <Checked link={link} />;
}

const Frame = ({ children }: { children: ComponentChildren }) => (
  <div class="card narrow centered">{children}</div>
);

function Useless({ reason }: { reason: string }) {
  const texts = signInTexts().action;
  return (
    <Frame>
      <h1>{texts.useless}</h1>
      <Notice kind="bad">{reason}</Notice>
      <a class="button" href="/auth/sign-in">
        {texts.signIn}
      </a>
    </Frame>
  );
}

/** Checks the code, which stays usable. */
function Checked({ link }: { link: ActionLink }) {
  const email = useRequest(`link ${link.mode} ${link.code}`, () => emailOf(link));
  switch (email.state) {
    case 'loading':
      return (
        <Frame>
          <Loading />
        </Frame>
      );
    case 'failed':
      return isUselessLink(email.error) ? (
        <Useless reason={messageOf(email.error)} />
      ) : (
        <Failure error={email.error} />
      );
    case 'ready':
      return (
        <Frame>
          <h1>{signInTexts().action.titles[link.mode]}</h1>
          <p class="muted wrap">{email.value}</p>
          {link.mode === 'resetPassword' ? (
            <NewPassword link={link} />
          ) : (
            <Apply link={link} email={email.value} />
          )}
        </Frame>
      );
  }
}

async function emailOf({ mode, code }: ActionLink): Promise<string> {
  const { auth } = await startFirebase();
  if (mode === 'resetPassword') return verifyPasswordResetCode(auth, code);
  return (await checkActionCode(auth, code)).data.email ?? '';
}

function NewPassword({ link }: { link: ActionLink }) {
  const [isDone, setDone] = useState(false);
  const save = async (data: FormData) => {
    const { auth } = await startFirebase();
    await confirmPasswordReset(auth, link.code, textOf(data, 'password'));
    setDone(true);
  };
  if (isDone) return <Done next={link.next}>{signInTexts().action.passwordSaved}</Done>;
  return (
    <Form submit={signInTexts().action.savePassword} onSubmit={save}>
      <NewPasswordField label={signInTexts().newPassword} />
    </Form>
  );
}

/** Asks for a click: programs that open the links of messages must not verify an address for somebody else. */
function Apply({ link, email }: { link: ActionLink; email: string }) {
  const [done, setDone] = useState<string>();
  const { busy, outcome, run } = useAction();
  const apply = async () => {
    const { auth } = await startFirebase();
    await applyActionCode(auth, link.code);
    // From here on the link is used up.
    const message = await finish(auth, link.mode, email);
    await auth.currentUser?.getIdToken(true).catch(() => undefined);
    forgetSignedIn();
    setDone(message);
  };
  if (done !== undefined) return <Done next={link.next}>{done}</Done>;
  return (
    <>
      <Button kind="primary" busy={busy} onClick={() => void run(apply)}>
        {signInTexts().action.titles[link.mode]}
      </Button>
      <Message outcome={outcome} />
    </>
  );
}

/**
 * Completes an action after its code was applied. A user who restores an address or removes a new second factor did not
 * make that change, so somebody else may know the password.
 *
 * @returns the message for the user
 */
async function finish(auth: Auth, mode: Mode, email: string): Promise<string> {
  const texts = signInTexts().action;
  switch (mode) {
    case 'recoverEmail':
      if (!OFFERS_PASSWORD) return texts.recoveredAddress;
      return (await mailsPasswordReset(auth, email)) ? texts.recovered : texts.recoveredOnly;
    case 'revertSecondFactorAddition':
      if (!OFFERS_PASSWORD) return texts.factorRemoved;
      return (await mailsPasswordReset(auth, email)) ? texts.reverted : texts.revertedOnly;
    default:
      return texts.verified;
  }
}

/** @returns false if the message could not be sent */
async function mailsPasswordReset(auth: Auth, email: string): Promise<boolean> {
  try {
    await sendPasswordResetEmail(auth, email);
    return true;
  } catch {
    return false;
  }
}

function Done({ next, children }: { next: string; children: ComponentChildren }) {
  return (
    <>
      <div role="status">
        <Notice kind="good">{children}</Notice>
      </div>
      <a class="button primary" href={next}>
        {signInTexts().action.next}
      </a>
    </>
  );
}
