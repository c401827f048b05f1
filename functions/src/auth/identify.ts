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
  /** Which sign-ins are of verified users. The look-ups of all other sign-ins have one limit together. */
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
  const { verifyToken, sessionExists, signInTrust, now } = dependencies;
  const token = await verifyToken(kind, text);
  const readState = stateReaderFor(dependencies, token, text);
  // Throws over the limit of look-ups, so that the session is not read.
  const first = beginRead(readState, token, freshness);
  const sessionCheck =
    kind === 'id-token' ? Promise.resolve() : awaitedLater(requireSession(sessionExists(token.uid, text)));
  const state = await rememberTrust(signInTrust, token, findActiveState(readState, token, first, now));
  const caller =
    token.impersonates === undefined
      ? callerFrom(token, state)
      : await findImpersonatedCaller(readState, token.uid, token.impersonates, freshness);
  return { caller, sessionCheck };
}

/** Reads the state of a user. If Firebase Auth must be asked and the limit is reached, throws before it returns. */
type ReadState = (uid: string, freshness: StateFreshness) => Promise<UserState>;

/** Each look-up counts for the user of the token, also that of an impersonated user. */
function stateReaderFor(
  { userStates, countLookUp, signInTrust }: IdentifyDependencies,
  token: Token,
  text: string,
): ReadState {
  const options = lookUpOptionsOf(token, text, () => {
    countLookUp(token, signInTrust.isTrusted(token));
  });
  return (uid, freshness) =>
    freshness === 'cached' ? userStates.cachedOrCurrent(uid, options) : userStates.current(uid, options);
}

function lookUpOptionsOf({ issuedAt }: Token, text: string, countThisLookUp: () => void): LookUpOptions {
  return { tokenIssuedAt: issuedAt, tokenText: text, countThisLookUp };
}

/** The first read of the state of a token's user. */
interface FirstRead {
  readonly state: Promise<UserState>;
  readonly freshness: StateFreshness;
}

function beginRead(readState: ReadState, { uid, signInMethod }: Token, wanted: StateFreshness): FirstRead {
  const freshness = signInMethod === 'anonymous' ? 'current' : wanted;
  return { state: readState(uid, freshness), freshness };
}

/** Before a cached state refuses the token, the current state is read. */
async function findActiveState(
  readState: ReadState,
  token: Token,
  first: FirstRead,
  now: () => Date,
): Promise<UserState> {
  const state = await first.state;
  if (isActive(token, state, now())) return state;
  if (first.freshness === 'current') throw refusal('credentials_ended');
  const current = await readState(token.uid, 'current');
  requireActive(token, current, now());
  return current;
}

/** Remembers whether the sign-in of a token is trusted. The sign-in of a refused token is not. */
async function rememberTrust(
  signInTrust: SignInTrust,
  token: Token,
  activeState: Promise<UserState>,
): Promise<UserState> {
  try {
    const state = await activeState;
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
