import { initializeApp, type FirebaseOptions } from 'firebase/app';
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  type Auth,
} from 'firebase/auth';
import { authEmulatorUrl, isLocal } from './emulators.ts';

let started: Promise<Auth> | undefined;

/**
 * Firebase Auth, set up once from what Hosting knows of the project: no configuration is built in, so one build serves every
 * project. On this machine the Auth emulator takes its place when it runs.
 *
 * https://firebase.google.com/docs/hosting/reserved-urls
 *
 * @throws Error when the page is not served by Firebase Hosting or its emulator
 */
export function startAuth(): Promise<Auth> {
  started ??= setUp();
  return started;
}

async function setUp(): Promise<Auth> {
  const [config, emulator] = await Promise.all([
    load('/__/firebase/init.json').then((response) => response.json() as Promise<FirebaseOptions>),
    isLocal(location.hostname) ? findAuthEmulator() : undefined,
  ]);
  const auth = initializeAuth(initializeApp(config), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  // Before anything else touches `auth`, or it would go to the real Firebase.
  if (emulator !== undefined) connectAuthEmulator(auth, emulator, { disableWarnings: true });
  auth.useDeviceLanguage();
  await auth.authStateReady();
  return auth;
}

async function findAuthEmulator(): Promise<string | undefined> {
  const response = await load('/__/firebase/init.js?useEmulator=true');
  return authEmulatorUrl(await response.text());
}

async function load(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok)
    throw new Error(`${path} answers ${response.status}: is this page served by Firebase Hosting?`);
  return response;
}
