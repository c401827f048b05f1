import type { User } from 'firebase/auth';
import { createSession, fetchSession } from '../api.ts';
import { isInvitationLink, safeCallback } from '../callback.ts';
import { startAuth } from '../firebase.ts';
import { showSignIn } from '../sign-in/forms.ts';
import { showVerification } from '../sign-in/verification.ts';

/** Signs a person in, starts the backend's session and sends them to where they were going. */
export async function render(main: HTMLElement): Promise<void> {
  const callback = safeCallback(new URLSearchParams(location.search).get('callback'), location.origin);
  const [auth, session] = await Promise.all([startAuth(), fetchSession()]);
  const user = auth.currentUser;
  if (user !== null && session?.user.uid === user.uid) {
    proceed(main, callback, user, session.user.emailVerified);
    return;
  }
  showSignIn(main, {
    auth,
    onSignedIn: async (signedIn) => {
      await createSession(await signedIn.getIdToken());
      proceed(main, callback, signedIn, signedIn.emailVerified);
    },
  });
}

/** The backend answers invitation links of an unverified address with a refusal: verify first. */
function proceed(main: HTMLElement, callback: URL | undefined, user: User, emailVerified: boolean): void {
  const leave = () => {
    location.assign(callback?.href ?? '/dashboard');
  };
  if (isInvitationLink(callback) && !emailVerified) showVerification(main, user, leave);
  else leave();
}
