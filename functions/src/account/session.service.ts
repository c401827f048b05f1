import * as z from 'zod';
import { askAuth } from '../auth/ask-auth.ts';
import { callerFrom, type Caller } from '../auth/caller.ts';
import { requireActive } from '../auth/identify.ts';
import { isRecent } from '../auth/recent-sign-in.ts';
import { revokeSignIns } from '../auth/revoke.ts';
import { sessionId } from '../auth/session-id.ts';
import { usesRemovedMethod } from '../auth/sign-in-method.ts';
import type { Token } from '../auth/tokens/token.ts';
import { isRevoked, type UserState } from '../auth/users/user-state.ts';
import type { Backend } from '../backend.ts';
import { queueContactSyncs } from '../billing/customers/contacts/queue.service.ts';
import { currentHolding } from '../billing/subscriptions/subscription.store.ts';
import { DamagedDocument, damageAsValue, intactOrLog, undefinedIfDamaged } from '../firestore/convert.ts';
import type { Db } from '../firestore/db.ts';
import type { SessionDocument } from '../firestore/documents/user.ts';
import { readPage, type Page, type PageOf } from '../firestore/page.ts';
import { purgeInBatches, type Purge } from '../personal-data/purge.ts';
import { purgeDevices, removeDevicesOfSession } from '../push/device.service.ts';
import { isRefusal, refuse } from '../refusals/refusals.ts';
import { replaceMemberAddress } from '../teams/members/rename.service.ts';
import { teamsOf } from '../teams/teams-of-user.store.ts';
import { saveProfile, writeProfile } from './profile.store.ts';
import {
  impersonationViewOf,
  openSessionViewOf,
  type OpenSessionView,
  type SignedInUserView,
} from './session.view.ts';
import { userViewOf } from './user.view.ts';

/** Enough to recognize a device; the header has no maximum. */
const MAX_USER_AGENT = 256;

/**
 * Bounds the time of `revokeSessions`: it deletes at most 5,000 sessions and devices. Sessions beyond this number stay
 * until they expire. They cannot be used, because their sign-ins are revoked.
 */
const MAX_BATCHES = 20;

interface SignInRequest {
  idToken: string;
  /** The longest time until the cookie expires. An impersonation may shorten it. */
  maxLifetimeMs: number;
  userAgent: string | undefined;
}

/**
 * Exchanges the ID token of a recent sign-in for a session cookie, and creates or updates the profile. The sign-in must
 * be recent: otherwise a thief could turn an old ID token into a session of several days. The session document is
 * written before the cookie is returned, because a cookie without a document is refused.
 * https://firebase.google.com/docs/auth/admin/manage-cookies
 *
 * @param limitUser counts a sign-in of the user, who is known only here; throws Refusal `too_many_requests` over the
 *   limit
 * @throws Refusal with the code `unauthenticated`: `credentials_invalid` for a token that is malformed or expired, or
 *   of a deleted account; `credentials_ended` for a token that is revoked, of a disabled account or of a removed
 *   sign-in method; `sign_in_too_old` for a sign-in more than 5 minutes ago
 */
export async function createSession(
  backend: Backend,
  { idToken, maxLifetimeMs, userAgent }: SignInRequest,
  limitUser: (uid: string) => Promise<void>,
): Promise<{ cookie: string; expiresAt: Date; lifetimeMs: number }> {
  const { auth, db, userStates } = backend;
  const token = await backend.verifyToken('id-token', idToken);
  const state = await userStates.current(token.uid, token.issuedAt);
  const now = backend.now();
  requireActive(token, state, now);
  // For an impersonation this is the operator, who also gets the session.
  const caller = callerFrom(token, state);
  if (!isRecent(caller.signedInAt, now)) throw refuse('sign_in_too_old');
  await limitUser(caller.uid);
  const lifetimeMs = lifetimeOf(token, maxLifetimeMs, now);
  const cookie = await askAuth(() => auth.createSessionCookie(idToken, { expiresIn: lifetimeMs }));
  const session = sessionOf(token, cookie, userAgent);
  const hasNewAddress = await storeSession(db, caller, { id: sessionId(cookie), session, now });
  if (hasNewAddress) {
    await replaceMemberAddress(backend, caller);
    await queueContactSyncs(backend, caller.uid, 'address');
  }
  return { cookie, expiresAt: session.expiresAt, lifetimeMs };
}

/** The shortest lifetime that Firebase Auth allows for a cookie. */
const MIN_LIFETIME_MS = 5 * 60_000;

/** The cookie of an impersonation ends with it, or up to five minutes later. Each request checks the end as well. */
function lifetimeOf({ impersonates }: Token, maxLifetimeMs: number, now: Date): number {
  if (impersonates === undefined) return maxLifetimeMs;
  const left = impersonates.endsAt.getTime() - now.getTime();
  return Math.max(MIN_LIFETIME_MS, Math.min(left, maxLifetimeMs));
}

/**
 * Stores a session together with the profile. The user may have signed out everywhere after the state of the user was
 * read. So the same transaction reads the time of the last sign-out everywhere.
 *
 * @returns whether the stored address differs from the one before
 * @throws Refusal `credentials_ended`
 */
function storeSession(
  db: Db,
  caller: Caller,
  { id, session, now }: { id: string; session: SessionDocument; now: Date },
): Promise<boolean> {
  return db.run(async (tx) => {
    const found = await damageAsValue(tx.users.get(caller.uid));
    // A damaged profile stays as it is. It must not stop its user from signing in.
    const profile = intactOrLog(found);
    const endedAt = profile?.signInsEndedAt;
    if (endedAt !== undefined && session.signedInAt < endedAt) throw refuse('credentials_ended');
    tx.sessions(caller.uid).set(id, session);
    return found instanceof DamagedDocument ? false : writeProfile(tx, caller, { stored: profile, now });
  });
}

function sessionOf(token: Token, cookie: string, userAgent: string | undefined): SessionDocument {
  const { signInMethod, providerUids, signedInAt } = token;
  return {
    signInMethod,
    providerUids: [...providerUids],
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    signedInAt,
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
 */
export function sessionExists({ db }: Backend, uid: string, cookie: string): Promise<boolean> {
  return db.sessions(uid).exists(sessionId(cookie));
}

/**
 * Ends the session of a cookie, and removes its devices. Does nothing for an invalid cookie.
 *
 * @throws Refusal `busy` or `auth_unavailable`: the session is not ended
 */
export async function endSessionOfCookie(backend: Backend, cookie: string): Promise<void> {
  const uid = await uidOf(backend, cookie);
  if (uid === undefined) return;
  const id = sessionId(cookie);
  await backend.db.sessions(uid).delete(id);
  await removeDevicesOfSession(backend, uid, id);
}

async function uidOf({ verifyToken }: Backend, cookie: string): Promise<string | undefined> {
  try {
    return (await verifyToken('session-cookie', cookie)).uid;
  } catch (error) {
    if (isRefusal(error, 'unauthenticated')) return undefined;
    throw error;
  }
}

/**
 * Ends one of the caller's own sessions, and removes its devices.
 *
 * @throws Refusal `session_not_found` for a session that has ended or belongs to another user
 */
export async function endSessionById(backend: Backend, { uid }: Caller, id: string): Promise<void> {
  const existed = await backend.db.sessions(uid).deleteExisting(id);
  await removeDevicesOfSession(backend, uid, id);
  if (!existed) throw refuse('session_not_found');
}

/**
 * Ends all sessions of a user, revokes all sign-ins before this call, and removes the user's devices. Takes up to a
 * second, because `revokeSignIns` waits.
 *
 * A sign-in that is in progress either stores its session before the purge, or reads `signInsEndedAt` and is refused.
 */
export async function revokeSessions(backend: Backend, caller: Caller): Promise<void> {
  const { uid } = caller;
  await revokeSignIns(backend.auth, uid);
  const { tokensValidAfterTime } = await backend.userStates.current(uid, caller.signedInAt);
  const signInsEndedAt = new Date(tokensValidAfterTime ?? backend.now());
  await undefinedIfDamaged(() => saveProfile(backend.db, caller, backend.now(), { signInsEndedAt }));
  const purges = backend.config.pushMessages ? [purgeSessions, purgeDevices] : [purgeSessions];
  await purgeInBatches(backend, uid, purges, MAX_BATCHES);
}

export const purgeSessions: Purge = ({ db }, uid, limit) => db.purge(db.sessions(uid), limit);

/**
 * Lists the caller's open sessions, latest expiry first.
 *
 * @param cookie the cookie of the request; its session is marked as the current one
 */
export async function listSessions(
  { userStates, db, now }: Backend,
  { uid, signedInAt }: Caller,
  page: Page,
  cookie: string | undefined,
): Promise<PageOf<OpenSessionView>> {
  const unexpired = db.sessions(uid).where('expiresAt', '>', now());
  const [state, { items, nextCursor }] = await Promise.all([
    userStates.cached(uid, signedInAt),
    readPage(unexpired, page, { by: 'expiresAt', direction: 'desc' }, (stored) => stored),
  ]);
  const current = cookie === undefined ? undefined : sessionId(cookie);
  const open = items.filter(({ data }) => isStillValid(data, state));
  return { items: open.map(({ id, data }) => openSessionViewOf(id, data, current)), nextCursor };
}

/** False after a password reset or the removal of the sign-in method. They end sessions, but leave the documents. */
function isStillValid(session: SessionDocument, state: UserState): boolean {
  return !isRevoked(session.signedInAt, state) && !usesRemovedMethod(session, state);
}

/** The caller with their teams and plan. */
export async function describeSignedInUser(backend: Backend, caller: Caller): Promise<SignedInUserView> {
  const { config, db, now } = backend;
  const [teams, { plan, addOns }] = await Promise.all([
    teamsOf(db, caller.uid),
    currentHolding(db, config, caller.uid, now()),
  ]);
  return {
    user: userViewOf(caller),
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    plan: plan.slug,
    ...(caller.impersonatedBy !== undefined && { impersonation: impersonationViewOf(caller.impersonatedBy) }),
    ...(Object.keys(addOns).length > 0 && { addOns }),
  };
}
