import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { TokenKind } from '../tokens/token.ts';
import { ISSUERS } from '../tokens/verify-token.ts';

export const PROJECT = 'demo-authenticate';
export const KEY_ID = 'key';

export const KINDS = Object.keys(ISSUERS) as TokenKind[];

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The keys as Google publishes them, but without the certificate around each key. */
export const PUBLISHED_KEYS = { [KEY_ID]: KEYS.publicKey.export({ type: 'spki', format: 'pem' }) as string };

/** Ten seconds ago, in seconds. */
export const SIGNED_IN_AT = Math.floor(Date.now() / 1000) - 10;

export const BY_PASSWORD = { sign_in_provider: 'password', identities: { email: ['ada@example.com'] } };

interface Forgery {
  claims?: object;
  header?: object;
  key?: KeyObject;
  /** The hash function of the signature; SHA-256 by default. */
  hash?: string;
}

/** A token as Google issues it, with the changes of a test. A claim with the value undefined is left out. */
export function googleToken(kind: TokenKind, { claims, header, key, hash }: Forgery = {}): string {
  const content = [
    { alg: 'RS256', kid: KEY_ID, typ: 'JWT', ...header },
    {
      sub: 'user',
      aud: PROJECT,
      iss: ISSUERS[kind].prefix + PROJECT,
      iat: SIGNED_IN_AT,
      auth_time: SIGNED_IN_AT,
      exp: SIGNED_IN_AT + 3600,
      firebase: BY_PASSWORD,
      ...claims,
    },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign(hash ?? 'RSA-SHA256', Buffer.from(content), key ?? KEYS.privateKey);
  return `${content}.${signature.toString('base64url')}`;
}

/** A token as the Auth emulator issues it: without a signature. */
export function unsignedToken(kind: TokenKind, claims: object = {}): string {
  const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return `${header}.${googleToken(kind, { claims }).split('.')[1] ?? ''}.`;
}
