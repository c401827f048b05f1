import { verifiedEmailOf, type Caller } from '../auth/caller.ts';
import { sessionId } from '../auth/cookies.ts';
import { revokeSignIns } from '../auth/revoke.ts';
import { usesRemovedMethod } from '../auth/sign-in-method.ts';
import { authUserOf } from '../auth/users/new-profile.ts';
import { ANY_AGE, isRevoked, type UserState } from '../auth/users/user-states.ts';
import type { Backend } from '../backend.ts';
import { enqueueUserContactSyncsOrLog } from '../billing/customers/contacts/queue.service.ts';
import { readHoldingOfUser } from '../billing/subscriptions/subscription.store.ts';
import { logWarning } from '../common/log.ts';
import { timerOf } from '../common/timer.ts';
import { damageAsValue, DamagedDocument, logIfDamaged } from '../firestore/damage.ts';
import type { SessionDocument } from '../firestore/documents/user.ts';
import { readPage, type PageRequest, type PageOf } from '../firestore/page.ts';
import { REQUEST_MS, runInBatches, type Purge } from '../personal-data/purge.ts';
import { removeDevicesOfEndedSignIns, removeDevicesOfSession } from '../push/device.service.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import { teamsOf } from '../teams/teams-of-user.store.ts';
import { saveAddress, saveProfileIn } from './profile.store.ts';
import {
  impersonationViewOf,
  openSessionViewOf,
  type OpenSessionView,
  type SignedInUserView,
} from './session.view.ts';
import { userViewOf } from './user.view.ts';

/**
 * Ends the session of a cookie. Does nothing for an invalid cookie.
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
    if (hasRefusalCode(error, 'unauthenticated')) return undefined;
    throw error;
  }
}

/**
 * Ends one of the caller's sessions.
 *
 * @throws Refusal `session_not_found` for a session that has ended or belongs to another user
 */
export async function endSessionById(backend: Backend, { uid }: Caller, id: string): Promise<void> {
  const existed = await backend.db.sessions(uid).deleteExisting(id);
  await removeDevicesOfSession(backend, uid, id);
  if (!existed) throw refusal('session_not_found');
}

/**
 * Ends all sessions and sign-ins of a user. Usually takes up to a second, because `revokeSignIns` waits for the next
 * second of the clock.
 *
 * Concurrently, `signIn` may store a session in a transaction. A session whose sign-in is from before the revocation
 * does not last:
 *
 * - If the transaction commits before `signInsEndedAt` is stored, the purge deletes the session.
 * - If the transaction commits later, it reads `signInsEndedAt` and refuses the sign-in.
 *
 * The sessions and devices of a sign-in from after the revocation stay.
 */
export async function endAllSessions(backend: Backend, caller: Caller): Promise<void> {
  const { uid } = caller;
  await revokeSignIns(backend.auth, uid);
  const { tokensValidAfterTime } = await backend.userStates.current(uid);
  const signInsEndedAt = new Date(tokensValidAfterTime ?? backend.now());
  const hasAddressChange = await storeEndOfSignIns(backend, caller, signInsEndedAt);
  if (hasAddressChange) await enqueueUserContactSyncsOrLog(backend, uid, { changed: 'address' });
  const purgeEnded: Purge = ({ db }, _uid, limit) =>
    db.purge(db.sessions(uid).where('signedInAt', '<', signInsEndedAt), limit);
  // A session that is left cannot be used: its sign-in is revoked.
  await runInBatches(backend, uid, [purgeEnded], timerOf(backend, REQUEST_MS));
  await removeDevicesOfEndedSignIns(backend, uid, signInsEndedAt);
}

/**
 * Stores the end in the profile. In a damaged profile only this field changes.
 *
 * @returns true if the profile existed, and its `email` or `emailVerified` has changed. False for a damaged profile
 */
function storeEndOfSignIns({ db, now }: Backend, caller: Caller, signInsEndedAt: Date): Promise<boolean> {
  return db.run(async (tx) => {
    const stored = await damageAsValue(tx.users.get(caller.uid));
    if (!(stored instanceof DamagedDocument)) {
      return saveProfileIn(tx, caller, { stored, now: now(), change: { signInsEndedAt } });
    }
    logIfDamaged(stored);
    tx.users.update(caller.uid, { signInsEndedAt });
    return false;
  });
}

export const purgeSessions: Purge = ({ db }, uid, limit) => db.purge(db.sessions(uid), limit);

/** @param cookie the cookie of the request; its session is marked as the current one */
export async function listSessions(
  { userStates, db, now }: Backend,
  { uid }: Caller,
  page: PageRequest,
  cookie: string | undefined,
): Promise<PageOf<OpenSessionView>> {
  const unexpired = db.sessions(uid).where('expiresAt', '>', now());
  const [state, { items, nextCursor }] = await Promise.all([
    // The guard has just read this state, so its age does not matter.
    userStates.cachedOrCurrent(uid, ANY_AGE),
    readPage(unexpired, page, { by: 'expiresAt', direction: 'desc' }, (stored) => stored),
  ]);
  const current = cookie === undefined ? undefined : sessionId(cookie);
  const open = items.filter(({ data }) => isStillValid(data, state));
  return { items: open.map(({ id, data }) => openSessionViewOf(id, data, current)), nextCursor };
}

/** A password reset and the removal of the sign-in method end a session without deleting its document. */
function isStillValid(session: SessionDocument, state: UserState): boolean {
  return !isRevoked(session.signedInAt, state) && !usesRemovedMethod(session, state);
}

/**
 * Describes the caller. If a membership has another address than the account, saves the address of the account: a
 * client with ID tokens never signs in for a session. An operator who impersonates the user saves nothing.
 */
export async function describeSignedInUser(backend: Backend, caller: Caller): Promise<SignedInUserView> {
  const { config, db, now } = backend;
  const [teams, { plan, addOns }] = await Promise.all([
    teamsOf(db, caller.uid),
    readHoldingOfUser(db, config, caller.uid, now()),
  ]);
  const hasOtherAddress = teams.some(({ email }) => email !== verifiedEmailOf(caller));
  if (hasOtherAddress && caller.impersonatedBy === undefined)
    await saveCurrentAddressOrLog(backend, caller.uid);
  return {
    user: userViewOf(caller),
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    plan: plan.slug,
    ...(caller.impersonatedBy !== undefined && { impersonation: impersonationViewOf(caller.impersonatedBy) }),
    ...(Object.keys(addOns).length > 0 && { addOns }),
  };
}

/**
 * Asks Firebase Auth, because the state of the caller may be older than what is stored. A failure is only logged: the
 * next call saves the address.
 */
async function saveCurrentAddressOrLog(backend: Backend, uid: string): Promise<void> {
  const { db, now, userStates } = backend;
  try {
    const hasAddressChange = await saveAddress(db, authUserOf(await userStates.current(uid)), now());
    if (hasAddressChange) await enqueueUserContactSyncsOrLog(backend, uid, { changed: 'address' });
  } catch (error) {
    logWarning(`The address of the user ${uid} was not saved`, error);
  }
}
