import type { UserRecord } from 'firebase-admin/auth';
import * as z from 'zod';
import { callerFrom, type Caller } from '../auth/caller.ts';
import { isRecent } from '../auth/recent-sign-in.ts';
import { signInOf, usesRemovedMethod } from '../auth/sign-in-method.ts';
import { revokeSignIns } from '../auth/revoke.ts';
import { askAuth, isRevoked, isTokenError, verify, type Verified } from '../auth/verify.ts';
import type { Backend } from '../backend.ts';
import { queueContactSyncs } from '../billing/contacts/queue.service.ts';
import { currentPlan } from '../billing/subscriptions/subscription.store.ts';
import type { SessionDocument } from '../firestore/documents/user.ts';
import { readPage, type Page, type PageOf } from '../firestore/page.ts';
import { purgeInBatches, type Purge } from '../personal-data/removal.ts';
import { refuse } from '../refusals.ts';
import { teamsOf } from '../teams/team.store.ts';
import { syncProfile } from './profile.store.ts';
import { sessionId } from './session-id.ts';
import { openSessionViewOf, type OpenSessionView, type SessionView } from './session.view.ts';
import { viewOf } from './user.view.ts';

/** Enough to recognize a device; the header has no maximum. */
const MAX_USER_AGENT = 256;

/** Batches for deleting a user's sessions: enough for more sessions than a user can have. */
const MAX_BATCHES = 20;

interface SignInRequest {
  idToken: string;
  /** Milliseconds until the cookie expires. */
  lifetime: number;
  userAgent: string | undefined;
}

/**
 * Exchanges the ID token of a recent sign-in for a session cookie, and creates or updates the profile. The sign-in must
 * be recent: otherwise a thief could turn an old ID token into a session of several days. The session document is
 * written before the cookie is returned, because a cookie without a document is refused.
 * https://firebase.google.com/docs/auth/admin/manage-cookies
 *
 * @param limitUser counts sign-ins of a user; throws Refusal `too_many_requests` over the limit
 * @throws Refusal `unauthenticated` for a token that is malformed, expired, revoked, of a disabled account or a removed
 *   sign-in method, or from a sign-in more than 5 minutes ago; `busy` or `auth_unavailable` if Firestore or Firebase
 *   Auth does not answer
 */
export async function createSession(
  backend: Backend,
  { idToken, lifetime, userAgent }: SignInRequest,
  limitUser: (uid: string) => Promise<void>,
): Promise<{ cookie: string; expiresAt: Date }> {
  const { auth, db } = backend;
  const verified = await verify(auth, () => auth.verifyIdToken(idToken));
  const caller = callerFrom(verified);
  const now = backend.now();
  if (!isRecent(caller.signedInAt, now)) throw refuse('sign_in_too_old');
  await limitUser(caller.uid);
  const [cookie, hasNewAddress] = await Promise.all([
    askAuth(() => auth.createSessionCookie(idToken, { expiresIn: lifetime })),
    syncProfile(db, caller, now),
  ]);
  if (hasNewAddress) await queueContactSyncs(backend, caller.uid, 'address');
  const session = sessionOf(verified, cookie, userAgent);
  await db.sessions(caller.uid).set(sessionId(cookie), session);
  return { cookie, expiresAt: session.expiresAt };
}

function sessionOf(verified: Verified, cookie: string, userAgent: string | undefined): SessionDocument {
  const { method, providerUids } = signInOf(verified.token);
  return {
    signInMethod: method,
    providerUids: [...providerUids],
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    signedInAt: callerFrom(verified).signedInAt,
    expiresAt: expiryOf(cookie),
  };
}

const expirySchema = z.object({ exp: z.int() });

/**
 * The expiry that Firebase Auth has written into the cookie. If we computed it by our own clock and that clock were
 * slow, the TTL policy could delete the document before the cookie expires.
 */
function expiryOf(cookie: string): Date {
  const payload = Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString();
  return new Date(expirySchema.parse(JSON.parse(payload)).exp * 1000);
}

/**
 * True if the document of a cookie's session exists. Ending a session deletes the document. Reads one document.
 *
 * @throws Refusal `busy` if Firestore does not answer
 */
export function sessionExists({ db }: Backend, uid: string, cookie: string): Promise<boolean> {
  return db.sessions(uid).exists(sessionId(cookie));
}

/**
 * Ends the session of a cookie. Does nothing for an invalid cookie.
 *
 * @throws Refusal `busy` or `auth_unavailable` if Firestore or Firebase Auth does not answer; the session is not ended
 */
export async function endSessionOf(backend: Backend, cookie: string): Promise<void> {
  const uid = await uidOf(backend, cookie);
  if (uid !== undefined) await backend.db.sessions(uid).delete(sessionId(cookie));
}

async function uidOf({ auth }: Backend, cookie: string): Promise<string | undefined> {
  try {
    return (await auth.verifySessionCookie(cookie)).uid;
  } catch (error) {
    if (isTokenError(error)) return undefined;
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

/**
 * Ends one of the caller's own sessions.
 *
 * @throws Refusal `session_not_found` for a session that has ended or belongs to another user; `busy`
 */
export async function endSession({ db }: Backend, { uid }: Caller, id: string): Promise<void> {
  if (!(await db.sessions(uid).deleteExisting(id))) throw refuse('session_not_found');
}

/**
 * Ends all sessions of a user, and all sign-ins before this call. Takes up to a second, because `revokeSignIns` waits. A
 * sign-in that is in progress may store its session after the purge. That session is refused as revoked.
 */
export async function revokeSessions(backend: Backend, uid: string): Promise<void> {
  await revokeSignIns(backend.auth, uid);
  await purgeInBatches(backend, uid, [purgeSessions], MAX_BATCHES);
}

export const purgeSessions: Purge = ({ db }, uid, most) => db.purge(db.sessions(uid), most);

/**
 * Lists the caller's open sessions, latest expiry first.
 *
 * @param cookie the cookie of the request; its session is marked as the current one
 */
export async function listSessions(
  { auth, db, now }: Backend,
  { uid }: Caller,
  page: Page,
  cookie: string | undefined,
): Promise<PageOf<OpenSessionView>> {
  const unexpired = db.sessions(uid).where('expiresAt', '>', now());
  const [user, { items, nextCursor }] = await Promise.all([
    auth.getUser(uid),
    readPage(unexpired, page, { by: 'expiresAt', direction: 'desc' }, (stored) => stored),
  ]);
  const current = cookie === undefined ? undefined : sessionId(cookie);
  const open = items.filter(({ data }) => isStillValid(data, user));
  return { items: open.map(({ id, data }) => openSessionViewOf(id, data, current)), nextCursor };
}

/** False after a password reset or the removal of the sign-in method. They end sessions, but leave the documents. */
function isStillValid(
  { signedInAt, signInMethod: method, providerUids }: SessionDocument,
  user: UserRecord,
): boolean {
  return !isRevoked(signedInAt.getTime(), user) && !usesRemovedMethod({ method, providerUids }, user);
}

/** The caller with their teams and plan. */
export async function describeSession(backend: Backend, caller: Caller): Promise<SessionView> {
  const { config, db, now } = backend;
  const [teams, plan] = await Promise.all([
    teamsOf(db, caller.uid),
    currentPlan(db, config.plans, caller.uid, now()),
  ]);
  return {
    user: viewOf(caller),
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    plan: plan.slug,
  };
}
