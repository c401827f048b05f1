import { createHearthClient, type Session } from '@hearth/client';
import { loadPart } from './load-part.ts';
import { hasProbableSession, markSession } from './marker.ts';
import { SITE_KEY } from './settings.ts';
import { shared } from './shared.ts';
import { requireShownUser } from './shown-user.ts';
import { refresh, useRequest, valueOf, type Live } from './source.ts';

/**
 * The client of the backend. The session cookie identifies the user, and App Check the app where it is configured.
 * Nothing is sent while the cookie is of another user than the shown one.
 */
export const hearth = createHearthClient({
  idToken: () => {
    requireShownUser();
    return undefined;
  },
  ...(SITE_KEY !== '' && { appCheckToken }),
});

async function appCheckToken(): Promise<string | undefined> {
  // The start page is shown before the SDK has loaded.
  const { startFirebase } = await loadPart(() => import('./firebase.ts'));
  return (await startFirebase()).appCheckToken?.();
}

/** The session of the cookie, requested once for all parts of a page; undefined for a stranger. */
const current = shared(async () => {
  const session = await hearth.account.session();
  markSession(session !== undefined);
  return session;
});

export function currentSession(): Promise<Session | undefined> {
  return current.get();
}

const KEY = 'session of the cookie';

/** Call this when the session may have changed. */
export function forgetSession(): void {
  current.forget();
  refresh(KEY);
}

/** The session of the visitor. It needs no Firebase SDK. Nothing is requested for a visitor who has probably none. */
function useCurrentSession(): Live<Session | undefined> {
  return useRequest(hasProbableSession() ? KEY : undefined, currentSession);
}

/** The session of the visitor. Undefined until the backend has answered, and for a stranger. */
export function useSession(): Session | undefined {
  return valueOf(useCurrentSession());
}

/** Whether the visitor is signed in. Until the backend has answered, whether they were when it answered last. */
export function useIsSignedIn(): boolean {
  const live = useCurrentSession();
  return live.state === 'loading' ? hasProbableSession() : valueOf(live) !== undefined;
}
