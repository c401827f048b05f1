import { useSignal } from '@preact/signals';
import type { User } from 'firebase/auth';
import { useEffect } from 'preact/hooks';
import { startFirebase } from '../backend/firebase.ts';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn, signedIn } from '../backend/session.ts';
import { useRequest, valueOf } from '../backend/source.ts';
import { isInvitationLink, safeCallback } from '../callback.ts';
import { SignInForms } from '../sign-in/forms.tsx';
import { Verification } from '../sign-in/verification.tsx';
import { Failure, Loading } from '../ui/message.tsx';

/** Signs a person in, starts the backend's session and sends them to where they were going. */
export function Page() {
  const begun = useRequest('sign-in', begin);
  const unverified = useSignal<User | undefined>(undefined);
  /** The backend refuses invitation links to a person with an unverified address: they verify it first. */
  const proceed = (user: User, emailVerified: boolean) => {
    if (isInvitationLink(callbackOfPage()) && !emailVerified) unverified.value = user;
    else leave();
  };
  const person = valueOf(begun)?.person;
  useEffect(() => {
    if (person !== undefined) proceed(person.user, person.session.user.emailVerified);
  }, [person]);
  if (unverified.value !== undefined) return <Verification user={unverified.value} onVerified={leave} />;
  if (begun.state === 'failed') return <Failure error={begun.error} />;
  if (begun.state === 'loading' || person !== undefined) return <Loading />;
  return (
    <SignInForms
      auth={begun.value.auth}
      onSignedIn={async (user) => {
        await hearth.account.startSession(await user.getIdToken());
        forgetSignedIn();
        proceed(user, user.emailVerified);
      }}
    />
  );
}

async function begin() {
  const [{ auth }, person] = await Promise.all([startFirebase(), signedIn()]);
  return { auth, person };
}

const callbackOfPage = () =>
  safeCallback(new URLSearchParams(location.search).get('callback'), location.origin);

/** The page is loaded anew: the backend answers the callback, and no other page remembers who was signed in before. */
function leave(): void {
  location.assign(callbackOfPage()?.href ?? '/dashboard');
}
