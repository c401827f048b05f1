import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, initializeAuth, signInWithEmailAndPassword } from 'firebase/auth';
import type { BrowserContextOptions } from 'playwright-core';
import { inject } from 'vitest';
import { signIn } from '../../../functions/src/account/sign-in.service.ts';
import type { Person } from '../../support/people.ts';
import { inProcessBackend } from './in-process-backend.ts';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

const HOUR_MS = 3_600_000;

/**
 * The state of a browser in which somebody signed in: the cookie of the backend's session, and the user as the Firebase
 * SDK stores it in `localStorage`. The SDK loads the user anew when a page starts.
 *
 * The session is made without the route, which limits how many sessions one IP address may start in a minute.
 */
export async function signedInState(person: Person): Promise<StorageState> {
  const { app } = inject('stack').urls;
  const { hostname: domain, origin } = new URL(app);
  const [session, user] = await Promise.all([startSession(person), storedUser(person)]);
  const attributes = { domain, path: '/', expires: -1, httpOnly: true, secure: true } as const;
  return {
    cookies: [{ name: '__session', value: session, sameSite: 'Lax', ...attributes }],
    origins: [{ origin, localStorage: [user, MARK] }],
  };
}

/** The marker in the storage of the pages: this browser probably has a session. */
const MARK = { name: 'hearth.session', value: '1' };

async function startSession({ idToken }: Person): Promise<string> {
  const request = { idToken, maxLifetimeMs: HOUR_MS, userAgent: 'Chrome/1' };
  const { cookie } = await signIn(inProcessBackend(), request, () => Promise.resolve());
  return cookie;
}

/** The entry of `localStorage` for the user of the web app's only Firebase app. */
async function storedUser({ email, password }: Person): Promise<{ name: string; value: string }> {
  const { urls } = inject('stack');
  const response = await fetch(`${urls.app}/__/firebase/init.json`);
  const { apiKey } = (await response.json()) as { apiKey: string };
  const client = initializeApp({ apiKey }, randomUUID());
  try {
    const auth = initializeAuth(client);
    connectAuthEmulator(auth, urls.auth, { disableWarnings: true });
    const { user } = await signInWithEmailAndPassword(auth, email, password);
    const value = JSON.stringify({ ...user.toJSON(), appName: '[DEFAULT]' });
    return { name: `firebase:authUser:${apiKey}:[DEFAULT]`, value };
  } finally {
    await deleteApp(client);
  }
}
