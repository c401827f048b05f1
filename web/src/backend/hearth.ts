import { createHearthClient, type Session } from '@hearth/client';
import { SITE_KEY } from './settings.ts';
import { useRequest, valueOf } from './source.ts';

/** The client of the backend. The session cookie identifies the user, and App Check the app where it is configured. */
export const hearth = createHearthClient(SITE_KEY === '' ? {} : { appCheckToken });

async function appCheckToken(): Promise<string | undefined> {
  // The start page is shown before the SDK has loaded.
  const { startFirebase } = await import('./firebase.ts');
  return (await startFirebase()).appCheckToken?.();
}

/** The session of the visitor. It needs no Firebase SDK. Undefined until the backend has answered, and for a stranger. */
export function useSession(): Session | undefined {
  return valueOf(useRequest('session of the cookie', (signal) => hearth.account.session({ signal })));
}
