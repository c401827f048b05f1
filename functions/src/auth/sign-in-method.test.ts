import { describe, expect, test } from 'vitest';
import { usesRemovedMethod } from './sign-in-method.ts';
import { ada, REFUSED, useGoogle } from './testing/identify.ts';

const { google, check } = useGoogle();

interface Method {
  method: string;
  /** The user's accounts at providers, as in the token. */
  identities: Record<string, string[]>;
  /** The entry of the user record while the account has this method; none for methods that are not listed. */
  listed?: { providerId: string; rawId: string };
}

const listedAs = (providerId: string, rawId: string): Method => ({
  method: providerId,
  identities: { email: ['ada@example.com'], [providerId]: [rawId] },
  listed: { providerId, rawId },
});

/**
 * By sign-in method, as Firebase documents its tokens. An e-mail link is `password` in both places.
 * https://firebase.google.com/docs/rules/rules-and-auth#leverage_user_information_in_rules
 */
const METHODS: Record<string, Method> = {
  'a password': {
    method: 'password',
    identities: { email: ['ada@example.com'] },
    listed: { providerId: 'password', rawId: 'ada@example.com' },
  },
  Google: listedAs('google.com', '1001'),
  Apple: listedAs('apple.com', '001.abc.002'),
  'a phone number': listedAs('phone', '+15555550100'),
  SAML: listedAs('saml.acme', 'ada@acme.example'),
  'OpenID Connect': listedAs('oidc.acme', 'subject-1'),
  'a custom token': { method: 'custom', identities: {} },
  'a passkey': { method: 'passkey', identities: { email: ['ada@example.com'] } },
  'a method to come': { method: 'telepathy', identities: {} },
};
const LISTED = Object.entries(METHODS).flatMap(([name, { listed, ...rest }]) =>
  listed === undefined ? [] : [{ name, listed, ...rest }],
);
const UNLISTED = Object.entries(METHODS).filter(([, { listed }]) => listed === undefined);

const signInBy = ({ method, identities }: Method) =>
  check('session-cookie', { firebase: { sign_in_provider: method, identities } });

describe('a sign-in by', () => {
  test.each(Object.entries(METHODS))('%s is accepted while the account has the method', async (_name, by) => {
    google.account = ada({ providerUserInfo: by.listed === undefined ? [] : [by.listed] });
    expect((await signInBy(by)).uid).toBe('user');
  });

  test.each(LISTED)('$name is refused once the account has lost the method', async (by) => {
    google.account = ada({ providerUserInfo: [{ providerId: 'other.example', rawId: by.listed.rawId }] });
    await expect(signInBy(by)).rejects.toMatchObject(REFUSED);
  });

  test.each(LISTED.filter(({ method }) => method !== 'password'))(
    '$name is refused once another account at the same provider has replaced it',
    async (by) => {
      google.account = ada({ providerUserInfo: [{ ...by.listed, rawId: 'another-account' }] });
      await expect(signInBy(by)).rejects.toMatchObject(REFUSED);
    },
  );

  test.each(UNLISTED)('%s is accepted whatever else the account has', async (_name, by) => {
    google.account = ada();
    expect((await signInBy(by)).uid).toBe('user');
  });

  test('the anonymous method is accepted until the account is upgraded', async () => {
    const anonymous = { method: 'anonymous', identities: {} };
    google.account = ada({ email: undefined, providerUserInfo: [] });
    expect((await signInBy(anonymous)).uid).toBe('user');
    google.account = ada();
    await expect(signInBy(anonymous)).rejects.toMatchObject(REFUSED);
  });

  test('Google is compared by the method alone if the session of an older version has no ids', () => {
    const user = { providerData: [{ providerId: 'google.com', uid: '1002' }] };
    const usesRemoved = (providerUids: string[]) =>
      usesRemovedMethod({ signInMethod: 'google.com', providerUids }, user);
    expect([usesRemoved([]), usesRemoved(['1001'])]).toEqual([false, true]);
  });
});
