import { initializeApp, type FirebaseApp, type FirebaseOptions } from 'firebase/app';
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  type Auth,
} from 'firebase/auth';
import { loadPart } from './load-part.ts';
import { emulatorsIn, isLocal, SITE_KEY, type Emulators } from './settings.ts';
import { shared } from './shared.ts';
import { watchUser } from './shown-user.ts';

export interface Firebase {
  app: FirebaseApp;
  auth: Auth;
  emulators: Emulators;
  /** Provides the App Check token for requests; undefined if the app does not use App Check. */
  appCheckToken: (() => Promise<string>) | undefined;
}

const firebase = shared(setUp);

/**
 * The Firebase SDK, set up once with the configuration that Hosting provides. No configuration is built in, so one
 * build serves every project. On this machine emulators take the place of Firebase where they run.
 *
 * https://firebase.google.com/docs/hosting/reserved-urls
 *
 * @throws Error when the page is not served by Firebase Hosting or its emulator
 */
export function startFirebase(): Promise<Firebase> {
  return firebase.get();
}

async function setUp(): Promise<Firebase> {
  const [config, emulators] = await Promise.all([
    load('/__/firebase/init.json').then((response) => response.json() as Promise<FirebaseOptions>),
    isLocal(location.hostname) ? findEmulators() : Promise.resolve<Emulators>({}),
  ]);
  const app = initializeApp(config);
  // Before any other part of the SDK sends its first request. Google does not know the projects of emulators.
  const isAttested = SITE_KEY !== '' && emulators.auth === undefined;
  const appCheckToken = isAttested
    ? (await loadPart(() => import('./app-check.ts'))).attest(app, SITE_KEY)
    : undefined;
  const auth = initializeAuth(app, {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  // Before the first use of `auth`, which would otherwise connect to the real Firebase.
  if (emulators.auth !== undefined) {
    connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true });
  }
  auth.useDeviceLanguage();
  await auth.authStateReady();
  watchUser(auth);
  return { app, auth, emulators, appCheckToken };
}

async function findEmulators(): Promise<Emulators> {
  const response = await load('/__/firebase/init.js?useEmulator=true');
  return emulatorsIn(await response.text());
}

async function load(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) {
    throw new Error(`${path} answers ${response.status}: is this page served by Firebase Hosting?`);
  }
  return response;
}
