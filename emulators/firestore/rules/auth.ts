import { map, NULL, string } from '@hearth/security-rules/value';
import type { Value } from '@hearth/security-rules/value';
import { unauthenticated } from '../errors.ts';
import { jsonMap } from './values.ts';

/**
 * `request.auth` for an ID token: null without a token, else `uid` and the token's claims. Emulators do not sign
 * their tokens, so neither signature nor expiry is checked. Throws UNAUTHENTICATED for a token that names no user.
 */
export function authOf(token: string | undefined): Value {
  if (token === undefined) return NULL;
  const claims = claimsOf(token);
  const uid = claims?.sub ?? claims?.user_id;
  if (claims === undefined || typeof uid !== 'string' || uid === '') {
    throw unauthenticated('The ID token is malformed: it has no payload with the claim "sub".');
  }
  return map({ uid: string(uid), token: jsonMap(claims) });
}

interface Claims {
  readonly sub?: unknown;
  readonly user_id?: unknown;
}

/** The payload of a JSON Web Token (RFC 7519), or undefined for other text. */
function claimsOf(token: string): Claims | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
