import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminAuth, signUp, startSession } from './support/people.ts';
import { call } from './support/requests.ts';

/** The Auth emulator issues tokens for each of its sign-in methods. */
const { urls, projectId } = inject('stack');

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface SignedIn {
  localId: string;
  idToken: string;
}

/** Calls the API of the client SDKs. */
async function authApi<Answer = SignedIn>(method: string, body: object): Promise<Answer> {
  const response = await call('POST', `${urls.auth}/identitytoolkit.googleapis.com/${method}?key=test`, {
    json: { returnSecureToken: true, ...body },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

/** Codes that Firebase sends by mail or text message in production. */
async function sentCodes<Code>(kind: 'oobCodes' | 'verificationCodes'): Promise<Code[]> {
  const response = await fetch(`${urls.auth}/emulator/v1/projects/${projectId}/${kind}`);
  return ((await response.json()) as Record<string, Code[]>)[kind] ?? [];
}

const freshEmail = () => `${randomUUID()}@example.com`;

function byProvider(providerId: string, extra: Record<string, string> = {}): Promise<SignedIn> {
  const claims = JSON.stringify({ sub: randomUUID(), email: freshEmail(), email_verified: true });
  const postBody = new URLSearchParams({ providerId, id_token: claims, ...extra });
  return authApi('v1/accounts:signInWithIdp', {
    postBody: postBody.toString(),
    requestUri: 'http://localhost',
    returnIdpCredential: true,
  });
}

async function byEmailLink(email = freshEmail()): Promise<SignedIn> {
  await authApi('v1/accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email });
  const codes = await sentCodes<{ email: string; oobCode: string }>('oobCodes');
  const oobCode = codes.findLast((code) => code.email === email)?.oobCode;
  return authApi('v1/accounts:signInWithEmailLink', { email, oobCode });
}

async function byPhone(): Promise<SignedIn> {
  const phoneNumber = `+1555${randomInt(1_000_000, 9_999_999)}`;
  const { sessionInfo } = await authApi<{ sessionInfo: string }>('v1/accounts:sendVerificationCode', {
    phoneNumber,
    recaptchaToken: 'ignored',
  });
  const codes = await sentCodes<{ phoneNumber: string; code: string }>('verificationCodes');
  const code = codes.findLast((sent) => sent.phoneNumber === phoneNumber)?.code;
  return authApi('v1/accounts:signInWithPhoneNumber', { sessionInfo, code });
}

async function byCustomToken(): Promise<SignedIn> {
  const uid = randomUUID();
  const token = await adminAuth().createCustomToken(uid);
  return { ...(await authApi('v1/accounts:signInWithCustomToken', { token })), localId: uid };
}

async function byPasskey(): Promise<SignedIn> {
  const { uid: localId, idToken } = await signUp();
  const id = randomUUID();
  await authApi('v2/accounts/passkeyEnrollment:finalize', {
    idToken,
    authenticatorRegistrationResponse: { id },
  });
  const signedIn = await authApi('v2/accounts/passkeySignIn:finalize', {
    authenticatorAuthenticationResponse: { id },
  });
  return { ...signedIn, localId };
}

async function byPassword(): Promise<SignedIn> {
  const { uid, idToken } = await signUp();
  return { localId: uid, idToken };
}

const saml = JSON.stringify({ assertion: { subject: { nameId: freshEmail() } } });

const METHODS: [name: string, claimed: string, signIn: () => Promise<SignedIn>][] = [
  ['a password', 'password', byPassword],
  ['an e-mail link', 'password', () => byEmailLink()],
  ['Google', 'google.com', () => byProvider('google.com')],
  ['Apple', 'apple.com', () => byProvider('apple.com')],
  ['a phone number', 'phone', byPhone],
  ['OpenID Connect', 'oidc.acme', () => byProvider('oidc.acme')],
  ['SAML', 'saml.acme', () => byProvider('saml.acme', { SAMLResponse: saml })],
  ['a custom token', 'custom', byCustomToken],
  ['a passkey', 'passkey', byPasskey],
  ['no method (anonymous)', 'anonymous', () => authApi('v1/accounts:signUp', {})],
];

test.each(METHODS)(
  'a sign-in by %s is accepted with its token and with a cookie',
  async (_name, claimed, signIn) => {
    const { localId: uid, idToken } = await signIn();
    const bearer = { Authorization: `Bearer ${idToken}` };
    const cookie = await startSession(app.url, { uid, email: '', password: '', idToken, bearer });
    for (const headers of [bearer, cookie]) {
      const response = await call('GET', `${app.url}/api/auth/session`, { headers });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ user: { uid } });
    }
    const list = await call('GET', `${app.url}/api/auth/sessions`, { headers: cookie });
    expect(await list.json()).toMatchObject({ sessions: [{ current: true, signInMethod: claimed }] });
  },
);

test('a session by e-mail link continues when the account gets a password, and the other way round', async () => {
  const { email, bearer } = await signUp();
  const { idToken } = await byEmailLink(email);
  for (const headers of [bearer, { Authorization: `Bearer ${idToken}` }]) {
    expect((await call('GET', `${app.url}/api/auth/session`, { headers })).status).toBe(200);
  }
});
