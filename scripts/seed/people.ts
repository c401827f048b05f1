import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  applyActionCode,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  sendEmailVerification,
  signInWithEmailAndPassword,
  type Auth,
  type User,
} from 'firebase/auth';
import { createHearthClient, type HearthClient } from '../../client/src/index.ts';
import type { StackInfo } from '../stack.ts';

export interface Identity {
  name: string;
  email: string;
  password: string;
}

/** Somebody of the demonstration, signed in. */
export interface Person extends Identity, AsyncDisposable {
  hearth: HearthClient;
  /** Opens a page of the backend as a browser does, and returns the URL that it leads to. */
  open: (url: string) => Promise<string>;
}

type Stack = Pick<StackInfo, 'urls' | 'projectId'>;

/**
 * Signs somebody up as the web app does, or in when they are there already; the address is verified in the end.
 * Requests go to Hosting, because a front end of the developer at APP_URL may not run yet.
 */
export async function person(stack: Stack, identity: Identity): Promise<Person> {
  const app = initializeApp({ apiKey: 'local', projectId: stack.projectId }, `seed ${identity.email}`);
  const user = await signIn(stack, connect(app, stack), identity);
  const headers = async () => ({ Accept: 'text/html', Authorization: `Bearer ${await user.getIdToken()}` });
  const hearth = createHearthClient({ baseUrl: stack.urls.hosting, idToken: () => user.getIdToken() });
  await hearth.account.change({ displayName: identity.name });
  return {
    ...identity,
    hearth,
    open: async (url) => {
      const response = await fetch(onHosting(stack, url), { redirect: 'manual', headers: await headers() });
      const location = response.headers.get('Location');
      if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
      return new URL(location, stack.urls.app).href;
    },
    [Symbol.asyncDispose]: () => deleteApp(app),
  };
}

/** The same page where Hosting serves it, if it is a page of the app. */
function onHosting({ urls }: Stack, page: string): URL {
  const { origin, pathname, search } = new URL(page, urls.app);
  return new URL(pathname + search, origin === new URL(urls.app).origin ? urls.hosting : origin);
}

function connect(app: FirebaseApp, { urls }: Stack): Auth {
  const auth = getAuth(app);
  connectAuthEmulator(auth, urls.auth, { disableWarnings: true });
  return auth;
}

async function signIn(stack: Stack, auth: Auth, { email, password }: Identity): Promise<User> {
  const { user } = await createUserWithEmailAndPassword(auth, email, password).catch((error: unknown) => {
    if (codeOf(error) !== 'auth/email-already-in-use') throw error;
    return signInWithEmailAndPassword(auth, email, password);
  });
  if (user.emailVerified) return user;
  await sendEmailVerification(user);
  await applyActionCode(auth, await codeMailedTo(stack, email));
  // The Auth emulator revokes the earlier sign-in when the address is verified, if a second has passed.
  return (await signInWithEmailAndPassword(auth, email, password)).user;
}

/** The Auth emulator keeps its messages instead of sending them. */
async function codeMailedTo({ urls, projectId }: Stack, email: string): Promise<string> {
  const response = await fetch(`${urls.auth}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as { oobCodes: { email: string; oobCode: string }[] };
  const mail = oobCodes.findLast((sent) => sent.email === email);
  if (mail === undefined) throw new Error(`No message to ${email}`);
  return mail.oobCode;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
