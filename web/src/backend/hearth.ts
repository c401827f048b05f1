import { createHearthClient } from '@hearth/client';
import { SITE_KEY } from './settings.ts';
import { useRequest, valueOf } from './source.ts';

/** The backend, to which the session cookie speaks for the user, and App Check for the app where it is configured. */
export const hearth = createHearthClient(SITE_KEY === '' ? {} : { appCheckToken });

async function appCheckToken(): Promise<string | undefined> {
  // The start page shows before the SDK is there.
  const { startFirebase } = await import('./firebase.ts');
  return (await startFirebase()).appCheckToken?.();
}

/** True if the backend knows the visitor. It needs no Firebase SDK. False until the backend has answered. */
export function useIsKnown(asks: boolean): boolean {
  const session = useRequest(asks ? 'session of the cookie' : undefined, (signal) =>
    hearth.account.session({ signal }),
  );
  return valueOf(session) !== undefined;
}
