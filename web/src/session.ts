import type { SessionView } from '../../functions/src/account/session.view.ts';
import { deleteSession, fetchSession } from './api.ts';
import { signInPath } from './callback.ts';
import { showNavigation } from './layout.ts';

/** The session of a page that needs one; without it the browser leaves for the sign-in page and comes back afterwards. */
export async function requireSession(): Promise<SessionView | undefined> {
  const session = await fetchSession();
  if (session === undefined) location.replace(signInPath(location.href));
  else showNavigation();
  return session;
}

/** Ends the session cookie first: it is what the backend trusts. Then the SDK forgets its user. */
export async function signOut(options: { everywhere: boolean }): Promise<void> {
  await deleteSession(options);
  const { startAuth } = await import('./firebase.ts');
  await (await startAuth()).signOut();
  location.assign('/');
}
