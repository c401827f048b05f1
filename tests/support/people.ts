import { randomInt, randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { adminAuth, adminFirestore } from './admin.ts';
import { APP_URL } from './config.ts';

export { adminAuth, adminFirestore };

export interface Person {
  uid: string;
  email: string;
  password: string;
  idToken: string;
  /** Header that authenticates by ID token. */
  bearer: { Authorization: string };
}

interface SignUpOptions {
  /** True by default. */
  emailVerified?: boolean;
  email?: string;
  displayName?: string;
}

/** Creates an account with its own address, and signs in to it. */
export async function signUp(options: SignUpOptions = {}): Promise<Person> {
  const { email = `${randomUUID()}@example.com`, emailVerified = true, displayName } = options;
  const password = 'correct horse';
  const account = { email, password, emailVerified, ...(displayName !== undefined && { displayName }) };
  const { uid } = await adminAuth().createUser(account);
  return signIn({ uid, email, password });
}

/** Signs in again, for a fresh ID token with the current claims. */
export async function signIn({
  uid,
  email,
  password,
}: Pick<Person, 'uid' | 'email' | 'password'>): Promise<Person> {
  const { idToken } = await authApi('accounts:signInWithPassword', {
    email,
    password,
    returnSecureToken: true,
  });
  return { uid, email, password, idToken, bearer: { Authorization: `Bearer ${idToken}` } };
}

/** Signs in an account that has no password, as an app with a custom token does. */
export async function signInByCustomToken(uid: string): Promise<Person> {
  const idToken = await exchangeCustomToken(await adminAuth().createCustomToken(uid));
  return { uid, email: '', password: '', idToken, bearer: { Authorization: `Bearer ${idToken}` } };
}

/** The ID token for a custom token. */
export async function exchangeCustomToken(token: string): Promise<string> {
  return (await authApi('accounts:signInWithCustomToken', { token, returnSecureToken: true })).idToken;
}

/** Signs in as the client SDK does for visitors without an account. */
export async function signInAnonymously(): Promise<Person> {
  const { idToken } = await authApi('accounts:signUp', { returnSecureToken: true });
  const { uid } = await adminAuth().verifyIdToken(idToken);
  return { uid, email: '', password: '', idToken, bearer: { Authorization: `Bearer ${idToken}` } };
}

/** Signs up by a new phone number, with the code that the Auth emulator keeps instead of sending it. */
export async function signUpByPhone(): Promise<Person> {
  const { projectId, urls } = inject('stack');
  const phoneNumber = `+1${randomInt(2_000_000_000, 9_999_999_999)}`;
  const { sessionInfo } = await authApi<{ sessionInfo: string }>('accounts:sendVerificationCode', {
    phoneNumber,
  });
  const kept = await fetch(`${urls.auth}/emulator/v1/projects/${projectId}/verificationCodes`);
  const { verificationCodes } = (await kept.json()) as {
    verificationCodes: { sessionInfo: string; code: string }[];
  };
  const code = verificationCodes.find((sent) => sent.sessionInfo === sessionInfo)?.code;
  const { idToken } = await authApi('accounts:signInWithPhoneNumber', { sessionInfo, code });
  const { uid } = await adminAuth().verifyIdToken(idToken);
  return { uid, email: '', password: '', idToken, bearer: { Authorization: `Bearer ${idToken}` } };
}

/** The `Cookie` header of a new session, made as the web app at `origin` makes it. */
export async function startSession(
  appUrl: string,
  person: Person,
  origin = APP_URL,
): Promise<{ Cookie: string }> {
  const response = await fetch(`${appUrl}/api/auth/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ idToken: person.idToken }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`No session: ${response.status} ${await response.text()}`);
  return { Cookie: cookie.slice(0, cookie.indexOf(';')) };
}

/** Firebase keeps the time of a revocation in whole seconds: a token issued in the same second remains valid. */
export function nextSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000) + 5));
}

async function authApi<Answer = { idToken: string }>(method: string, body: object): Promise<Answer> {
  const response = await fetch(
    `${inject('stack').urls.auth}/identitytoolkit.googleapis.com/v1/${method}?key=test`,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Leaves a user's documents as a deletion leaves them that was interrupted before the customer was deleted. */
export async function beginDeletion(uid: string): Promise<void> {
  await adminFirestore().doc(`users/${uid}`).delete();
  await adminFirestore().doc(`customers/${uid}`).update({ closedAt: new Date() });
}
