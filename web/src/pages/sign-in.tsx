import type { Auth, User } from 'firebase/auth';
import { useEffect, useState } from 'preact/hooks';
import { startFirebase } from '../backend/firebase.ts';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn, signedIn } from '../backend/session.ts';
import { isInvitationLink, safeCallback } from '../callback.ts';
import { SignInForms } from '../sign-in/forms.tsx';
import { Verification } from '../sign-in/verification.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/message.tsx';

type State =
  | { step: 'loading' }
  | { step: 'sign-in'; auth: Auth }
  | { step: 'verify'; user: User }
  | { step: 'failed'; error: unknown };

/** Signs a person in, starts the backend's session and sends them to where they were going. */
export function Page() {
  const [state, setState] = useState<State>({ step: 'loading' });
  /** The backend answers invitation links of an unverified address with a refusal: verify first. */
  const proceed = (user: User, emailVerified: boolean) => {
    if (isInvitationLink(callbackOfPage()) && !emailVerified) setState({ step: 'verify', user });
    else leave();
  };
  useEffect(() => {
    begin().then(
      ({ auth, person }) => {
        if (person === undefined) setState({ step: 'sign-in', auth });
        else proceed(person.user, person.session.user.emailVerified);
      },
      (error: unknown) => {
        setState({ step: 'failed', error });
      },
    );
  }, []);
  switch (state.step) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return <Failure error={state.error} />;
    case 'verify':
      return <Verification user={state.user} onVerified={leave} />;
    case 'sign-in':
      return (
        <SignInForms
          auth={state.auth}
          onSignedIn={async (user) => {
            await hearth.account.startSession(await user.getIdToken());
            forgetSignedIn();
            proceed(user, user.emailVerified);
          }}
        />
      );
  }
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
