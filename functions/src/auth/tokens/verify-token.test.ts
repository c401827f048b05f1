import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  BY_PASSWORD,
  googleToken,
  KEY_ID,
  KINDS,
  PROJECT,
  PUBLISHED_KEYS,
  SIGNED_IN_AT,
  unsignedToken,
} from '../testing/google-tokens.ts';
import { createTokenVerifier, ISSUERS } from './verify-token.ts';

const answerKeys = () => Promise.resolve(Response.json(PUBLISHED_KEYS));
const options = { projectId: PROJECT, isEmulated: false };
const verify = createTokenVerifier({ ...options, fetch: answerKeys });
const INVALID = { status: 401, code: 'unauthenticated' };

describe.each(KINDS)('%s', (kind) => {
  const forge = (claims: object) => googleToken(kind, { claims });

  test('issued by Google is accepted', async () => {
    expect(await verify(kind, googleToken(kind))).toEqual({
      uid: 'user',
      issuedAt: new Date(SIGNED_IN_AT * 1000),
      signedInAt: new Date(SIGNED_IN_AT * 1000),
      signInMethod: 'password',
      hasOnlyUnverifiedAddress: false,
      providerUids: [],
      tenant: undefined,
    });
  });

  const inAnHour = SIGNED_IN_AT + 3600;
  test.each([
    ['an algorithm other than RS256', googleToken(kind, { header: { alg: 'RS512' }, hash: 'RSA-SHA512' })],
    ['no key id', googleToken(kind, { header: { kid: undefined } })],
    ['the id of an unknown key', googleToken(kind, { header: { kid: 'another' } })],
    ['the signature of another key', googleToken(kind, { key: anotherKey() })],
    ['the public key as a shared secret', signedByPublicKey(googleToken(kind))],
    ['no signature', unsignedToken(kind)],
    ['an expiry in the past', forge({ exp: SIGNED_IN_AT + 1 })],
    ['no expiry', forge({ exp: undefined })],
    ['a time of issue in the future', forge({ iat: inAnHour })],
    ['no time of issue', forge({ iat: undefined })],
    ['a sign-in in the future', forge({ auth_time: inAnHour })],
    ['no sign-in', forge({ auth_time: undefined })],
    ['the audience of another project', forge({ aud: 'another' })],
    ['several audiences', forge({ aud: [PROJECT, 'another'] })],
    ['no audience', forge({ aud: undefined })],
    ['the issuer of another project', forge({ iss: `${ISSUERS[kind].prefix}another` })],
    ['no issuer', forge({ iss: undefined })],
    ['an empty subject', forge({ sub: '' })],
    ['a subject of 129 characters', forge({ sub: 'x'.repeat(129) })],
    ['a subject that is no text', forge({ sub: 7 })],
    ['no sign-in method', forge({ firebase: {} })],
    ['a tenant', forge({ firebase: { ...BY_PASSWORD, tenant: 'acme' } })],
    ['another form', 'nonsense'],
    ['parts that are no JSON', 'a.b.c'],
  ])('with %s is refused', async (_what, token) => {
    await expect(verify(kind, token)).rejects.toMatchObject(INVALID);
  });

  test('is refused where a token of the other kind is expected', async () => {
    const [other = kind] = KINDS.filter((one) => one !== kind);
    await expect(verify(kind, googleToken(other))).rejects.toMatchObject(INVALID);
  });

  test('is accepted if the clock of Google is some seconds ahead', async () => {
    const soon = Math.floor(Date.now() / 1000) + 5;
    expect((await verify(kind, forge({ iat: soon, auth_time: soon }))).uid).toBe('user');
  });

  test('is verified with the keys of its kind', async () => {
    const asked: string[] = [];
    const fetch = (url: unknown) => {
      asked.push(String(url));
      return answerKeys();
    };
    await createTokenVerifier({ ...options, fetch })(kind, googleToken(kind));
    expect(asked).toEqual([ISSUERS[kind].keysUrl]);
  });

  test.each([
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answer with an error', () => Promise.resolve(new Response('', { status: 500 }))],
    ['are no certificates', () => Promise.resolve(Response.json({ [KEY_ID]: 'nonsense' }))],
  ])('gets 503 if the public keys %s', async (_what, fetch) => {
    const refusal = { status: 503, code: 'auth_unavailable' };
    await expect(createTokenVerifier({ ...options, fetch })(kind, googleToken(kind))).rejects.toMatchObject(
      refusal,
    );
  });

  describe('from the Auth emulator', () => {
    const verifyEmulated = createTokenVerifier({ ...options, isEmulated: true });

    test('is accepted without a signature', async () => {
      expect((await verifyEmulated(kind, unsignedToken(kind))).uid).toBe('user');
    });

    test.each([
      ['an expiry in the past', unsignedToken(kind, { exp: SIGNED_IN_AT + 1 })],
      ['the audience of another project', unsignedToken(kind, { aud: 'another' })],
      ['the issuer of another project', unsignedToken(kind, { iss: `${ISSUERS[kind].prefix}another` })],
      ['an empty subject', unsignedToken(kind, { sub: '' })],
      ['another form', 'nonsense'],
    ])('with %s is refused', async (_what, token) => {
      await expect(verifyEmulated(kind, token)).rejects.toMatchObject(INVALID);
    });
  });
});

function anotherKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

/** A known attack: the verifier uses the public key, which everybody has, as the secret of an HMAC. */
function signedByPublicKey(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: KEY_ID, typ: 'JWT' })).toString('base64url');
  const content = `${header}.${token.split('.')[1] ?? ''}`;
  const secret = PUBLISHED_KEYS[KEY_ID];
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}
