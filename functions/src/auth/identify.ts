import { awaitedLater } from '../common/awaited-later.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import { callerFrom, impersonatedCaller, isOperator, type Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import { usesRemovedMethod } from './sign-in-method.ts';
import type { Token } from './tokens/token.ts';
import type { VerifyToken } from './tokens/verify-token.ts';
import type { CountLookUp } from './users/look-up-limit.ts';
import { isTrustedUser, type SignInTrust } from './users/sign-in-trust.ts';
import { isRevoked, type LookUpOptions, type UserStates, type UserState } from './users/user-states.ts';

export interface IdentifyDependencies {
  readonly verifyToken: VerifyToken;
  readonly userStates: UserStates;
  /** Ending a session deletes its document. */
  readonly sessionExists: (uid: string, cookie: string) => Promise<boolean>;
  readonly countLookUp: CountLookUp;
  readonly signInTrust: SignInTrust;
  readonly now: () => Date;
}

/** `current` is read from Firebase Auth for this request. `cached` may be as old as the cache allows. */
export type StateFreshness = 'current' | 'cached';

export interface Identified {
  readonly caller: Caller;
  /**
   * Resolves if the session is open, or if the credentials are an ID token. Rejects with 401 if the session has ended,
   * and with 503 if Firestore does not answer. The promise must be awaited before the request is answered.
   */
  readonly sessionCheck: Promise<void>;
}

/**
 * Verifies credentials and finds their user. Does not wait for `sessionCheck`, so that the handler can read other
 * documents at the same time.
 *
 * Even with `cached`, two cases need the current state:
 * - The cached state would refuse the token. The account may have been enabled again in the meantime.
 * - The token is anonymous. The account may have been upgraded.
 *
 * @throws Refusal `credentials_invalid`, `credentials_ended`; `rate_limit_reached` over the limit of look-ups, before
 *   anything is read
 */
export async function identify(
  dependencies: IdentifyDependencies,
  { kind, text }: Credentials,
  freshness: StateFreshness,
): Promise<Identified> {
  const { verifyToken, userStates, sessionExists, countLookUp, signInTrust, now } = dependencies;
  const token = await verifyToken(kind, text);
  const lookUpOptions = lookUpOptionsOf(token, text, () => {
    countLookUp(token, signInTrust.isTrusted(token));
  });
  const mayBeCached = freshness === 'cached' && token.signInMethod !== 'anonymous';
  // Both functions call `beforeLookUp` before they return a promise. Over the limit of look-ups it throws here, and the
  // session is not read.
  const firstLookUp = (mayBeCached ? userStates.cachedOrCurrent : userStates.current)(
    token.uid,
    lookUpOptions,
  );
  const sessionCheck =
    kind === 'id-token' ? Promise.resolve() : awaitedLater(requireSession(sessionExists(token.uid, text)));
  const state = await findStateAndRememberTrust(signInTrust, token, async () => {
    let found = await firstLookUp;
    if (mayBeCached && !isActive(token, found, now()))
      found = await userStates.current(token.uid, lookUpOptions);
    requireActive(token, found, now());
    return found;
  });
  if (token.impersonates === undefined) return { caller: callerFrom(token, state), sessionCheck };
  // Only the operator is checked with `requireActive`. An operator may look at an account that is disabled.
  const { targetUid, ...impersonation } = token.impersonates;
  const readState = freshness === 'current' ? userStates.current : userStates.cachedOrCurrent;
  const target = await readState(targetUid, lookUpOptions);
  return { caller: impersonatedCaller(target, { operatorId: token.uid, ...impersonation }), sessionCheck };
}

/** The look-up of an impersonated user counts for the operator, whose token it is. */
function lookUpOptionsOf(token: Token, text: string, beforeLookUp: () => void): LookUpOptions {
  return { tokenIssuedAt: token.issuedAt, tokenText: text, beforeLookUp };
}

/** Remembers whether the sign-in of a token is trusted. The sign-in of a refused token is not. */
async function findStateAndRememberTrust(
  signInTrust: SignInTrust,
  token: Token,
  findState: () => Promise<UserState>,
): Promise<UserState> {
  try {
    const state = await findState();
    signInTrust.remember(token, isTrustedUser(token, state));
    return state;
  } catch (error) {
    if (hasRefusalCode(error, 'unauthenticated')) signInTrust.remember(token, false);
    throw error;
  }
}

async function requireSession(sessionExists: Promise<boolean>): Promise<void> {
  if (!(await sessionExists)) throw refusal('credentials_ended');
}

/**
 * Requires that a sign-in has not ended. A session cookie can be two weeks old, and much may have changed since.
 *
 * @throws Refusal `credentials_ended`
 */
export function requireActive(token: Token, state: UserState, now: Date): void {
  if (!isActive(token, state, now)) throw refusal('credentials_ended');
}

function isActive(token: Token, state: UserState, now: Date): boolean {
  return (
    !state.disabled &&
    !isRevoked(token.signedInAt, state) &&
    !usesRemovedMethod(token, state) &&
    !isEndedImpersonation(token, state, now)
  );
}

function isEndedImpersonation({ impersonates }: Token, state: UserState, now: Date): boolean {
  return impersonates !== undefined && (impersonates.endsAt <= now || !isOperator(state));
}
