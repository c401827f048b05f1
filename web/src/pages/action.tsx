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
import { useRequest } from '../backend/source.ts';
import { messageOf } from '../errors.ts';
import { actionLink, type ActionLink, type Mode } from '../sign-in/action-link.ts';
import { NewPasswordField } from '../sign-in/password-forms.tsx';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Loading, Message, Notice } from '../ui/message.tsx';

/** The page of the links in Firebase's messages, if the project's templates name it. */
export function Page() {
  const [link] = useState(() => actionLink(new URLSearchParams(location.search), location.origin));
  return (
    <div class="card narrow centered">
      {link === undefined ? (
        <Useless reason="This link is incomplete. Open it from the message once more." />
      ) : (
        <Checked link={link} />
      )}
    </div>
  );
}

const TITLES: Readonly<Record<Mode, string>> = {
  verifyEmail: 'Verify your address',
  resetPassword: 'Choose a new password',
  recoverEmail: 'Take your old address back',
  verifyAndChangeEmail: 'Confirm your new address',
};

function Useless({ reason }: { reason: string }) {
  return (
    <>
      <h1>Nothing to do here</h1>
      <Notice kind="bad">{reason}</Notice>
      <a class="button" href="/auth/sign-in">
        Go to sign-in
      </a>
    </>
  );
}

/** Checks the code, which stays usable. */
function Checked({ link }: { link: ActionLink }) {
  const email = useRequest(`link ${link.mode} ${link.code}`, () => emailOf(link));
  switch (email.state) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return <Useless reason={messageOf(email.error)} />;
    case 'ready':
      return (
        <>
          <h1>{TITLES[link.mode]}</h1>
          <p class="muted wrap">{email.value}</p>
          {link.mode === 'resetPassword' ? (
            <NewPassword link={link} />
          ) : (
            <Apply link={link} email={email.value} />
          )}
        </>
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
  if (isDone) return <Done next={link.next}>Your new password holds from now on.</Done>;
  return (
    <Form submit="Save password" onSubmit={save}>
      <NewPasswordField label="New password" />
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
    const message =
      link.mode === 'recoverEmail' ? await afterRecovery(auth, email) : 'Your address is verified.';
    await auth.currentUser?.getIdToken(true).catch(() => undefined);
    forgetSignedIn();
    setDone(message);
  };
  if (done !== undefined) return <Done next={link.next}>{done}</Done>;
  return (
    <>
      <Button kind="primary" busy={busy} onClick={() => void run(apply)}>
        {TITLES[link.mode]}
      </Button>
      <Message outcome={outcome} />
    </>
  );
}

/** A user who restores an address did not change it, so somebody else may know the password. */
async function afterRecovery(auth: Auth, email: string): Promise<string> {
  try {
    await sendPasswordResetEmail(auth, email);
    return 'The address is yours again. We sent you a message to choose a new password.';
  } catch {
    return 'The address is yours again. Somebody may know your password: choose a new one on the sign-in page.';
  }
}

function Done({ next, children }: { next: string; children: ComponentChildren }) {
  return (
    <>
      <div role="status">
        <Notice kind="good">{children}</Notice>
      </div>
      <a class="button primary" href={next}>
        Continue
      </a>
    </>
  );
}
