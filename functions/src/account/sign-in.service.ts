import * as z from 'zod';
import { withAuthRefusals } from '../auth/ask-auth.ts';
import { callerFrom, type Caller } from '../auth/caller.ts';
import { isSmallEnoughForBrowsers, sessionId } from '../auth/cookies.ts';
import { requireActive } from '../auth/identify.ts';
import { isRecent } from '../auth/recent-sign-in.ts';
import type { Token } from '../auth/tokens/token.ts';
import type { Backend } from '../backend.ts';
import { enqueueUserContactSyncsOrLog } from '../billing/customers/contacts/queue.service.ts';
import { logFault } from '../common/log.ts';
import { DamagedDocument, damageAsValue, logIfDamaged } from '../firestore/damage.ts';
import type { Db } from '../firestore/db.ts';
import type { SessionDocument } from '../firestore/documents/user.ts';
import { refusal } from '../refusals/refusals.ts';
import { copyAddressToMemberships } from '../teams/members/member-details.store.ts';
import { saveProfileIn } from './profile.store.ts';

/** Enough to recognize a device. */
const MAX_USER_AGENT_LENGTH = 256;

interface SignInRequest {
  idToken: string;
  /** The longest time until the cookie expires. An impersonation may shorten it. */
  maxLifetimeMs: number;
  userAgent: string | undefined;
}

/**
 * Exchanges the ID token of a recent sign-in for a session cookie, and creates or updates the profile. The sign-in must
 * be recent, so that a thief cannot turn an old ID token into a session of several days.
 * https://firebase.google.com/docs/auth/admin/manage-cookies
 *
 * @param countSignIn throws Refusal `rate_limit_reached` if the user is over the limit
 * @throws Refusal `credentials_invalid` for a token that is malformed or expired, or of a deleted account;
 *   `credentials_ended` for a token that is revoked, of a disabled account, of a removed sign-in method or of an
 *   impersonation that has ended; `sign_in_too_old` for a sign-in more than 5 minutes ago; `session_too_large` for a
 *   cookie that browsers drop
 */
export async function signIn(
  backend: Backend,
  { idToken, maxLifetimeMs, userAgent }: SignInRequest,
  countSignIn: (uid: string) => Promise<void>,
): Promise<{ cookie: string; expiresAt: Date; lifetimeMs: number }> {
  const { auth, db, userStates } = backend;
  const token = await backend.verifyToken('id-token', idToken);
  const state = await userStates.current(token.uid);
  const now = backend.now();
  requireActive(token, state, now);
  if (!isRecent(token.signedInAt, now)) throw refusal('sign_in_too_old');
  await countSignIn(token.uid);
  const lifetimeMs = lifetimeOf(token, maxLifetimeMs, now);
  const cookie = await withAuthRefusals(() => auth.createSessionCookie(idToken, { expiresIn: lifetimeMs }));
  if (!isSmallEnoughForBrowsers(cookie)) {
    logFault('A session cookie is too large', { uid: token.uid }, TOO_LARGE_REASON);
    throw refusal('session_too_large');
  }
  const session = sessionOf(token, cookie, userAgent);
  // An impersonation has a token of the operator, in which a claim names the impersonated user. So the session belongs
  // to the operator. Only later requests have the impersonated user as their caller.
  const sessionOwner = callerFrom(token, state);
  const hasAddressChange = await storeSignIn(db, sessionOwner, { id: sessionId(cookie), session, now });
  if (hasAddressChange) await enqueueUserContactSyncsOrLog(backend, sessionOwner.uid, { changed: 'address' });
  return { cookie, expiresAt: session.expiresAt, lifetimeMs };
}

const TOO_LARGE_REASON =
  'Browsers drop a cookie of more than 4,096 bytes. It contains the custom claims, the picture URL and the attributes of the identity provider.';

/** The shortest lifetime that Firebase Auth allows for a cookie. */
const MIN_LIFETIME_MS = 5 * 60_000;

/**
 * The cookie of an impersonation expires with the impersonation, but at the earliest after `MIN_LIFETIME_MS`. Each
 * request checks the exact end of the impersonation.
 */
function lifetimeOf({ impersonates }: Token, maxLifetimeMs: number, now: Date): number {
  if (impersonates === undefined) return maxLifetimeMs;
  const left = impersonates.endsAt.getTime() - now.getTime();
  return Math.max(MIN_LIFETIME_MS, Math.min(left, maxLifetimeMs));
}

/**
 * Stores a session and the profile. The user may have signed out everywhere since `signIn` read their state. Therefore
 * the same transaction reads `signInsEndedAt`, which `endAllSessions` stores, and refuses a sign-in from before this
 * time.
 *
 * @returns true if the profile existed, and its `email` or `emailVerified` has changed. False for a damaged profile:
 *   the reconciliation then syncs the contacts
 * @throws Refusal `credentials_ended`
 */
function storeSignIn(
  db: Db,
  sessionOwner: Caller,
  { id, session, now }: { id: string; session: SessionDocument; now: Date },
): Promise<boolean> {
  return db.run(async (tx) => {
    const profile = await damageAsValue(tx.users.get(sessionOwner.uid));
    const isDamaged = profile instanceof DamagedDocument;
    const endedAt = isDamaged ? profile.field('signInsEndedAt', z.date()) : profile?.signInsEndedAt;
    if (endedAt !== undefined && session.signedInAt < endedAt) throw refusal('credentials_ended');
    tx.sessions(sessionOwner.uid).set(id, session);
    if (!isDamaged) return saveProfileIn(tx, sessionOwner, { stored: profile, now });
    // A damaged profile must not stop its user from signing in. The profile does not show whether the address has
    // changed, so the memberships get the address in any case.
    logIfDamaged(profile);
    await copyAddressToMemberships(tx, sessionOwner);
    return false;
  });
}

function sessionOf(token: Token, cookie: string, userAgent: string | undefined): SessionDocument {
  const { signInMethod, providerUids, signedInAt } = token;
  return {
    signInMethod,
    providerUids: [...providerUids],
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    signedInAt,
    expiresAt: expiryOf(cookie),
  };
}

const expirySchema = z.object({ exp: z.int() });

/**
 * Reads the expiry from the cookie, because our clock may differ from that of Firebase Auth. TTL must not delete the
 * session document before the cookie expires.
 */
function expiryOf(cookie: string): Date {
  const payload = Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString();
  return new Date(expirySchema.parse(JSON.parse(payload)).exp * 1000);
}
