import type { UserRecord } from 'firebase-admin/auth';
import { currentPlan } from '../billing/subscription.store.ts';
import type { Config } from '../config.ts';
import { callerFrom, isOfRemovedMethod, isRevoked, verify } from '../http/authenticate.ts';
import type { Caller } from '../http/caller.ts';
import { unauthenticated } from '../http/errors.ts';
import { isRecent } from '../http/recent-sign-in.ts';
import type { Page, PageOf } from '../page.ts';
import { removeInBatches } from '../removal.ts';
import type { Services } from '../services.ts';
import { teamsOf } from '../teams/team.store.ts';
import { saveProfile } from './profile.store.ts';
import {
  deleteSession,
  readSessions,
  removeSessions,
  saveSession,
  sessionId,
  type OpenSession,
} from './session.store.ts';
import { openSessionViewOf, type OpenSessionView, type SessionView } from './session.view.ts';
import { viewOf } from './user.view.ts';

/** Enough to know a device by; the header may have any length. */
const MAX_USER_AGENT = 256;

/** More sessions than anybody has. */
const MAX_BATCHES = 20;

/**
 * Exchanges the ID token of a fresh sign-in for a session cookie and notes the session; the first one also makes the
 * user's profile. A stolen old ID token must not become a session of days.
 * https://firebase.google.com/docs/auth/admin/manage-cookies
 *
 * @param lifetime of the cookie, in milliseconds
 * @param limitUser counts what a user does, by uid
 * @throws HttpError 401 for a token that is bad, expired, revoked or from a sign-in over 5 minutes ago; as limitUser
 */
export async function createSession(
  services: Services,
  { idToken, lifetime, userAgent }: { idToken: string; lifetime: number; userAgent: string | undefined },
  limitUser: (uid: string) => Promise<void>,
): Promise<{ cookie: string; expiresAt: Date }> {
  const { auth } = services;
  const verified = await verify(auth, () => auth.verifyIdToken(idToken));
  const caller = callerFrom(verified);
  const now = services.now();
  if (!isRecent(caller.signedInAt, now)) {
    throw unauthenticated('Sign in again: this sign-in is too old to start a session.');
  }
  await limitUser(caller.uid);
  const firestore = await services.firestore();
  const [cookie] = await Promise.all([
    auth.createSessionCookie(idToken, { expiresIn: lifetime }),
    saveProfile(firestore, caller, now),
  ]);
  const expiresAt = new Date(now.getTime() + lifetime);
  await saveSession(firestore, caller.uid, cookie, {
    signInMethod: verified.token.firebase.sign_in_provider,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    signedInAt: caller.signedInAt,
    expiresAt,
  });
  return { cookie, expiresAt };
}

/** Takes a session off the list; the browser forgets the cookie itself. One that has ended already is let be. */
export async function forgetSession(services: Services, cookie: string): Promise<void> {
  const uid = await services.auth.verifySessionCookie(cookie).then(
    (token) => token.uid,
    () => undefined,
  );
  if (uid !== undefined) await deleteSession(await services.firestore(), uid, cookie);
}

/** Ends every session of a user: all refresh tokens, and with them all session cookies made before now. */
export async function revokeSessions(services: Services, uid: string): Promise<void> {
  await services.auth.revokeRefreshTokens(uid);
  await removeInBatches(services, uid, [removeSessions], MAX_BATCHES);
}

/** The sessions by cookie that a user has open, latest expiry first. */
export async function listSessions(
  services: Services,
  { uid }: Caller,
  page: Page,
  cookie: string | undefined,
): Promise<PageOf<OpenSessionView>> {
  const [firestore, user] = await Promise.all([services.firestore(), services.auth.getUser(uid)]);
  const current = cookie === undefined ? undefined : sessionId(cookie);
  const { items, nextCursor } = await readSessions(firestore, uid, services.now(), page);
  const open = items.filter(({ session }) => isOpen(session, user));
  return { items: open.map(({ id, session }) => openSessionViewOf(id, session, current)), nextCursor };
}

/** A password reset or a removed way to sign in ends sessions without a word to us. */
function isOpen({ signedInAt, signInMethod }: OpenSession, user: UserRecord): boolean {
  const at = signedInAt.toMillis();
  return !isRevoked(at, user) && !isOfRemovedMethod(signInMethod, user);
}

export async function describeSession(
  services: Services,
  config: Config,
  caller: Caller,
): Promise<SessionView> {
  const firestore = await services.firestore();
  const [teams, plan] = await Promise.all([
    teamsOf(firestore, caller.uid),
    currentPlan(firestore, config.plans, caller.uid, services.now()),
  ]);
  return {
    user: viewOf(caller),
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    plan: plan.slug,
  };
}
