import { awaitedLater } from '../common/awaited-later.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import { callerFrom, impersonatedCaller, isOperator, type Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import { usesRemovedMethod } from './sign-in-method.ts';
import type { Token, TokenImpersonation } from './tokens/token.ts';
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
  /** Which sign-ins are trusted (`isTrustedUser`). The others share one limit of look-ups. */
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
  const { verifyToken, userStates, sessionExists, countLookUp, signInTrust } = dependencies;
  const token = await verifyToken(kind, text);
  const readState = stateReaderFor(userStates, token, text, () => {
    countLookUp(token, signInTrust.isTrusted(token));
  });
  const mayBeCached = freshness === 'cached' && token.signInMethod !== 'anonymous';
  // If the limit of look-ups is reached, this call throws, and the read of the session below does not begin.
  const firstState = readState(token.uid, mayBeCached ? 'cached' : 'current');
  const sessionCheck =
    kind === 'id-token' ? Promise.resolve() : awaitedLater(requireSession(sessionExists(token.uid, text)));
  const readAgain = mayBeCached ? () => readState(token.uid, 'current') : undefined;
  const activeState = await findActiveState(dependencies, token, firstState, readAgain);
  const caller =
    token.impersonates === undefined
      ? callerFrom(token, activeState)
      : await findImpersonatedCaller(readState, token.uid, token.impersonates, freshness);
  return { caller, sessionCheck };
}

/** Reads the state of a user. If the limit of look-ups is reached, throws synchronously. */
type ReadState = (uid: string, freshness: StateFreshness) => Promise<UserState>;

/**
 * @param token gives the time after which a cached state must have been read, so that a client that refreshes its token
 *   sees its changes
 * @param tokenText identifies the token: requests with the same one share one look-up
 * @param beforeLookUp counts a look-up against the limits of the sign-in and of the token's user. During an
 *   impersonation, the look-up of the impersonated user counts against the operator
 */
function stateReaderFor(
  { cachedOrCurrent, current }: UserStates,
  { issuedAt }: Token,
  tokenText: string,
  beforeLookUp: () => void,
): ReadState {
  const options: LookUpOptions = { tokenIssuedAt: issuedAt, tokenText, beforeLookUp };
  return (uid, freshness) => (freshness === 'cached' ? cachedOrCurrent(uid, options) : current(uid, options));
}

/**
 * Requires that the sign-in has not ended. Remembers whether the sign-in is trusted: the sign-in of a refused token is
 * remembered as not trusted.
 *
 * @param readAgain reads the current state, before a cached state refuses the token. Undefined if the state is current
 * @throws Refusal `credentials_ended`
 */
async function findActiveState(
  { signInTrust, now }: IdentifyDependencies,
  token: Token,
  firstState: Promise<UserState>,
  readAgain: (() => Promise<UserState>) | undefined,
): Promise<UserState> {
  try {
    let state = await firstState;
    if (readAgain !== undefined && !isActive(token, state, now())) state = await readAgain();
    requireActive(token, state, now());
    signInTrust.remember(token, isTrustedUser(token, state));
    return state;
  } catch (error) {
    if (hasRefusalCode(error, 'unauthenticated')) signInTrust.remember(token, false);
    throw error;
  }
}

/** Does not call `requireActive`: an operator may look at an account that is disabled. */
async function findImpersonatedCaller(
  readState: ReadState,
  operatorId: string,
  { targetUid, ...impersonation }: TokenImpersonation,
  freshness: StateFreshness,
): Promise<Caller> {
  return impersonatedCaller(await readState(targetUid, freshness), { operatorId, ...impersonation });
}

async function requireSession(exists: Promise<boolean>): Promise<void> {
  if (!(await exists)) throw refusal('credentials_ended');
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
