import type { UserRecord } from 'firebase-admin/auth';
import * as z from 'zod';
import { currentPlanLegacy } from '../billing/subscriptions/subscription.store.ts';
import { callerFrom, type Caller } from '../auth/caller.ts';
import { isOfRemovedMethod, signInOf } from '../auth/sign-in-method.ts';
import { isRevoked, isTokenFault, verify } from '../auth/verify.ts';
import { refuse } from '../refusals.ts';
import { isRecent } from '../auth/recent-sign-in.ts';
import type { Page, PageOf } from '../firestore/page.ts';
import { purgeInBatches } from '../personal-data/removal.ts';
import type { Backend } from '../backend.ts';
import { teamsOf } from '../teams/team.store.ts';
import { guardFirestore } from '../firestore/transaction.ts';
import { saveProfile } from './profile.store.ts';
import {
  deleteSession,
  hasSession,
  readSessions,
  removeSessions,
  saveSession,
  type OpenSession,
} from './session.store.ts';
import { sessionId } from './session-id.ts';
import { openSessionViewOf, type OpenSessionView, type SessionView } from './session.view.ts';
import { viewOf } from './user.view.ts';

/** Enough to know a device by; the header may have any length. */
const MAX_USER_AGENT = 256;

/** More sessions than anybody has. */
const MAX_BATCHES = 20;

/**
 * Exchanges the ID token of a fresh sign-in for a session cookie; the first session also makes the user's profile. The
 * session's document is written before the cookie is handed out, because a cookie without one is refused. A stolen old ID
 * token must not become a session of days.
 * https://firebase.google.com/docs/auth/admin/manage-cookies
 *
 * @param lifetime of the cookie, in milliseconds
 * @param limitUser counts what a user does, by uid
 * @throws Refusal 401 for a token that is bad, expired, revoked or from a sign-in over 5 minutes ago; as limitUser
 */
export async function createSession(
  backend: Backend,
  { idToken, lifetime, userAgent }: { idToken: string; lifetime: number; userAgent: string | undefined },
  limitUser: (uid: string) => Promise<void>,
): Promise<{ cookie: string; expiresAt: Date }> {
  const { auth } = backend;
  const verified = await verify(auth, () => auth.verifyIdToken(idToken));
  const caller = callerFrom(verified);
  const now = backend.now();
  if (!isRecent(caller.signedInAt, now)) {
    throw refuse('sign_in_too_old');
  }
  await limitUser(caller.uid);
  const firestore = await backend.firestore();
  const [cookie] = await Promise.all([
    auth.createSessionCookie(idToken, { expiresIn: lifetime }),
    saveProfile(firestore, caller, now),
  ]);
  const expiresAt = expiryOf(cookie);
  const { method, providerUids } = signInOf(verified.token);
  const session = {
    signInMethod: method,
    providerUids: [...providerUids],
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    signedInAt: caller.signedInAt,
    expiresAt,
  };
  await guardFirestore(() => saveSession(firestore, caller.uid, cookie, session));
  return { cookie, expiresAt };
}

const expirySchema = z.object({ exp: z.int() });

/** When Firebase Auth says that its cookie expires: by our clock the TTL policy might remove the document before that. */
function expiryOf(cookie: string): Date {
  const payload = Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString();
  return new Date(expirySchema.parse(JSON.parse(payload)).exp * 1000);
}

/** Whether the session of a cookie was not ended. @throws Refusal 503 when Firestore does not answer */
export async function isSessionOpen(backend: Backend, uid: string, cookie: string): Promise<boolean> {
  return guardFirestore(async () => hasSession(await backend.firestore(), uid, cookie));
}

/**
 * Ends the session of a cookie. Does nothing for a cookie that is not valid any more.
 *
 * @throws Refusal 503 when the session could not be ended
 */
export async function endSessionOf(backend: Backend, cookie: string): Promise<void> {
  const uid = await ownerOf(backend, cookie);
  if (uid === undefined) return;
  await guardFirestore(async () => deleteSession(await backend.firestore(), uid, sessionId(cookie)));
}

async function ownerOf({ auth }: Backend, cookie: string): Promise<string | undefined> {
  try {
    return (await auth.verifySessionCookie(cookie)).uid;
  } catch (error) {
    if (isTokenFault(error)) return undefined;
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

/**
 * Ends one of the caller's own sessions.
 *
 * @throws Refusal 404 `session_not_found` for a session that has ended or is another user's
 */
export async function endSession(backend: Backend, { uid }: Caller, id: string): Promise<void> {
  const isEnded = await guardFirestore(async () => deleteSession(await backend.firestore(), uid, id));
  if (!isEnded) {
    throw refuse('session_not_found');
  }
}

/**
 * Ends every session of a user. Revocation counts in whole seconds; without their documents the cookies of this second are
 * refused as well.
 */
export async function revokeSessions(backend: Backend, uid: string): Promise<void> {
  await backend.auth.revokeRefreshTokens(uid);
  await purgeInBatches(backend, uid, [removeSessions], MAX_BATCHES);
}

/** The sessions by cookie that a user has open, latest expiry first. */
export async function listSessions(
  backend: Backend,
  { uid }: Caller,
  page: Page,
  cookie: string | undefined,
): Promise<PageOf<OpenSessionView>> {
  const [firestore, user] = await Promise.all([backend.firestore(), backend.auth.getUser(uid)]);
  const current = cookie === undefined ? undefined : sessionId(cookie);
  const { items, nextCursor } = await readSessions(firestore, uid, backend.now(), page);
  const open = items.filter(({ session }) => isOpen(session, user));
  return { items: open.map(({ id, session }) => openSessionViewOf(id, session, current)), nextCursor };
}

/** A password reset or a removed sign-in method ends sessions without an event to us. */
function isOpen(
  { signedInAt, signInMethod: method, providerUids = [] }: OpenSession,
  user: UserRecord,
): boolean {
  return !isRevoked(signedInAt.toMillis(), user) && !isOfRemovedMethod({ method, providerUids }, user);
}

export async function describeSession(backend: Backend, caller: Caller): Promise<SessionView> {
  const { config } = backend;
  const firestore = await backend.firestore();
  const [teams, plan] = await Promise.all([
    teamsOf(backend.db, caller.uid),
    currentPlanLegacy(firestore, config.plans, caller.uid, backend.now()),
  ]);
  return {
    user: viewOf(caller),
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    plan: plan.slug,
  };
}
