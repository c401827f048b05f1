import { useSignal } from '@preact/signals';
import type { User } from 'firebase/auth';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { startFirebase } from '../backend/firebase.ts';
import { hearth } from '../backend/hearth.ts';
import { markSession } from '../backend/marker.ts';
import { forgetSignedIn, signedIn } from '../backend/session.ts';
import { showUser } from '../backend/shown-user.ts';
import { useRequest, valueOf } from '../backend/source.ts';
import { isInvitationLink, needsConfirmation, safeCallback, SESSION_ENDED } from '../callback.ts';
import { ConfirmCallback } from '../sign-in/confirm-callback.tsx';
import { SignInForms } from '../sign-in/forms.tsx';
import { IncompleteLink, useInvited } from '../sign-in/invited.tsx';
import { sendVerification } from '../sign-in/send-verification.ts';
import { Verification } from '../sign-in/verification.tsx';
import { Failure, Loading } from '../ui/message.tsx';

/** Signs a person in, starts the backend's session and redirects to the page that they wanted. */
export function Page() {
  const { query } = useLocation();
  const isSwitch = query['switch'] === 'true';
  const begun = useRequest(`sign-in ${String(isSwitch)}`, () => begin(isSwitch));
  const callback = safeCallback(query['callback'] ?? null, location.origin);
  const invited = useInvited(isInvitationLink(callback) ? callback : undefined);
  const unverified = useSignal<User | undefined>(undefined);
  /** The backend refuses invitation links to a person with neither a verified address nor a phone number. */
  const proceed = (user: User, emailVerified: boolean, open = openPage) => {
    if (isInvitationLink(callback) && !emailVerified && user.phoneNumber === null) unverified.value = user;
    else open(targetOf(callback));
  };
  const person = valueOf(begun)?.person;
  const mustConfirm = person !== undefined && needsConfirmation(callback);
  useEffect(() => {
    if (person !== undefined && !mustConfirm)
      proceed(person.user, person.session.user.emailVerified, replacePage);
  }, [person]);
  if (unverified.value !== undefined) {
    return (
      <Verification
        user={unverified.value}
        onVerified={() => {
          openPage(targetOf(callback));
        }}
      />
    );
  }
  if (mustConfirm && callback !== undefined) return <ConfirmCallback callback={callback} />;
  if (begun.state === 'failed') return <Failure error={begun.error} />;
  if (invited.state === 'incomplete') return <IncompleteLink />;
  if (begun.state === 'loading' || invited.state === 'loading' || person !== undefined) return <Loading />;
  return (
    <SignInForms
      auth={begun.value.auth}
      invited={invited}
      hasEnded={query['message'] === SESSION_ENDED}
      onSignedIn={async (user, isNew = false) => {
        await hearth.account.startSession(await user.getIdToken());
        markSession(true);
        // If the message cannot be sent, the person can ask for another one later.
        if (isNew) await sendVerification().catch(() => undefined);
        forgetSignedIn();
        proceed(user, user.emailVerified);
      }}
    />
  );
}

/** @param isSwitch true if somebody who is signed in wants to use another account */
async function begin(isSwitch: boolean) {
  showUser(undefined);
  const [{ auth }, person] = await Promise.all([startFirebase(), isSwitch ? undefined : signedIn()]);
  return { auth, person };
}

function targetOf(callback: URL | undefined): string {
  return callback?.href ?? '/dashboard';
}

/** The page is loaded anew: the backend answers the callback, and no other page remembers who was signed in before. */
function openPage(url: string): void {
  location.assign(url);
}

/** Like `openPage`, for somebody who was signed in already: otherwise Back would lead here, and forward again. */
function replacePage(url: string): void {
  location.replace(url);
}
