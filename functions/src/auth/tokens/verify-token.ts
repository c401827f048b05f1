import type { JWTClaimVerificationOptions, JWTPayload } from 'jose';
import { lazy } from '../../common/lazy.ts';
import { refusal } from '../../refusals/refusals.ts';
import { publicKeys, type FindKey } from './public-keys.ts';
import { tokenOf, type Token, type TokenKind } from './token.ts';

/**
 * Verifies a token without a call to Firebase Auth. `requireActive` checks whether the account has changed since the
 * token was issued.
 *
 * @throws Refusal `credentials_invalid` for a bad token, `auth_unavailable` if Google's public keys cannot be fetched
 */
export type VerifyToken = (kind: TokenKind, token: string) => Promise<Token>;

interface Issuer {
  /** The issuer is this prefix followed by the id of the project. */
  readonly prefix: string;
  readonly keysUrl: string;
}

/**
 * https://firebase.google.com/docs/auth/admin/verify-id-tokens#verify_id_tokens_using_a_third-party_jwt_library
 * https://firebase.google.com/docs/auth/admin/manage-cookies#verify_session_cookies_using_a_third-party_jwt_library
 */
export const ISSUERS: Readonly<Record<TokenKind, Issuer>> = {
  'id-token': {
    prefix: 'https://securetoken.google.com/',
    keysUrl: 'https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com',
  },
  'session-cookie': {
    prefix: 'https://session.firebase.google.com/',
    keysUrl: 'https://www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys',
  },
};

/** How far the clock of Google may be ahead of ours. */
const CLOCK_SKEW_MS = 60_000;

/** Keeps cold starts short. */
const loadJose = lazy(() => import('jose'));

interface VerifierOptions {
  readonly projectId: string;
  /** True for the Auth emulator, whose tokens are not signed. Anybody can make such a token. */
  readonly isEmulated: boolean;
  readonly fetch?: typeof globalThis.fetch;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
}

export function createTokenVerifier(options: VerifierOptions): VerifyToken {
  const { projectId, isEmulated } = options;
  const readPayload = isEmulated ? decodeUnsigned : signatureVerifier(options);
  return async (kind, text) => {
    const payload = await readPayload(kind, text, {
      issuer: ISSUERS[kind].prefix + projectId,
      requiredClaims: ['exp'],
    });
    const token = tokenOf(payload);
    if (token === undefined || payload.aud !== projectId || isPremature(token) || isOfTenant(token)) {
      throw refusal('credentials_invalid');
    }
    return token;
  };
}

type ReadPayload = (
  kind: TokenKind,
  text: string,
  checks: JWTClaimVerificationOptions,
) => Promise<JWTPayload>;

function signatureVerifier({
  fetch = globalThis.fetch,
  clock = () => performance.now(),
}: VerifierOptions): ReadPayload {
  const keysAt = (kind: TokenKind) => publicKeys({ url: ISSUERS[kind].keysUrl, fetch, clock });
  const keys = { 'id-token': keysAt('id-token'), 'session-cookie': keysAt('session-cookie') };
  return (kind, text, checks) =>
    refuseBadTokens(async ({ jwtVerify }) => {
      const find = ({ kid }: { kid?: string }) => findOrRefuse(keys[kind], kid);
      return (await jwtVerify(text, find, { ...checks, algorithms: ['RS256'] })).payload;
    });
}

const decodeUnsigned: ReadPayload = (_kind, text, checks) =>
  refuseBadTokens(({ UnsecuredJWT }) => Promise.resolve(UnsecuredJWT.decode(text, checks).payload));

async function findOrRefuse(find: FindKey, keyId: string | undefined) {
  if (keyId === undefined) throw refusal('credentials_invalid');
  const key = await find(keyId).catch((cause: unknown) => {
    throw refusal('auth_unavailable', {}, { cause });
  });
  if (key === undefined) throw refusal('credentials_invalid');
  return key;
}

async function refuseBadTokens<Result>(
  decode: (jose: typeof import('jose')) => Promise<Result>,
): Promise<Result> {
  const jose = await loadJose();
  try {
    return await decode(jose);
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) throw refusal('credentials_invalid', {}, { cause: error });
    throw error;
  }
}

/** Google issues no tokens from the future. */
function isPremature({ issuedAt, signedInAt }: Token): boolean {
  const latest = Date.now() + CLOCK_SKEW_MS;
  return issuedAt.getTime() > latest || signedInAt.getTime() > latest;
}

/** A tenant of Identity Platform has its own uids. Outside of the tenant, the same uid may belong to another person. */
function isOfTenant({ tenant }: Token): boolean {
  return tenant !== undefined;
}
