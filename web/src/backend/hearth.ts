import { createHearthClient } from '@hearth/client';
import { SITE_KEY } from './site-key.ts';

/** The backend, to which the session cookie speaks for the user, and App Check for the app where it is configured. */
export const hearth = createHearthClient(SITE_KEY === '' ? {} : { appCheckToken });

async function appCheckToken(): Promise<string | undefined> {
  // The start page shows before the SDK is there.
  const { startFirebase } = await import('./firebase.ts');
  return (await startFirebase()).appCheckToken?.();
}
