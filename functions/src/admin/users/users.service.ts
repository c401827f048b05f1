import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { deleteAccount } from '../../account/delete.service.ts';
import { accountRecordOf, exportUser } from '../../account/export.service.ts';
import { endAllSessions } from '../../account/session.service.ts';
import { auditEntryViewOf } from '../../audit/audit-entry.view.ts';
import { userAsCaller } from '../../auth/caller.ts';
import { userStateOf } from '../../auth/users/user-states.ts';
import type { Backend } from '../../backend.ts';
import { readHoldingOfUser } from '../../billing/subscriptions/subscription.store.ts';
import { trialsOf } from '../../billing/subscriptions/trials/account-trials.store.ts';
import { hasRefusalCode, refusal } from '../../refusals/refusals.ts';
import { requireNotLastOwner } from '../../teams/members/leave-teams.service.ts';
import { teamsOf } from '../../teams/teams-of-user.store.ts';
import type { AdminUserView } from '../admin.view.ts';
import { describeBillingAndFiles } from '../billing-facts.service.ts';
import { foundUserOf } from '../find.service.ts';
import { findInvitations } from '../invitations/invitations.service.ts';
import { describeRecipient } from '../mail/mail.service.ts';
import {
  recordAction,
  requireAccount,
  withAuthRefusalsForOperator,
  type Operator,
} from '../operator.service.ts';
import { listFirst, withoutFields } from '../stored-documents.ts';

/** Entries of the audit log in a description. */
const MAX_ENTRIES = 20;

/**
 * Describes a user with everything that is stored about them, each list up to 20 items. Damaged documents are left out.
 *
 * @throws Refusal `user_not_found`
 */
export async function describeUser(backend: Backend, uid: string): Promise<AdminUserView> {
  const { config, db, now } = backend;
  const user = await requireAccount(backend, uid);
  const address = user.email?.toLowerCase() ?? '';
  const [
    profile,
    holding,
    teams,
    billingAndFiles,
    sessions,
    invitations,
    devices,
    trials,
    mailRecipient,
    entries,
  ] = await Promise.all([
    db.users.getIntact(uid),
    readHoldingOfUser(db, config, uid, now()),
    teamsOf(db, uid),
    describeBillingAndFiles(backend, uid),
    listFirst(db.sessions(uid)),
    address === '' ? [] : findInvitations(backend, address),
    listFirst(db.devices.where('uid', '==', uid), ['token']),
    trialsOf(db, { uid, email: user.email }),
    address === '' ? null : describeRecipient(backend, address),
    db.auditLog.where('target', '==', uid).orderBy('at', 'desc').limit(MAX_ENTRIES).findIntact(),
  ]);
  return {
    user: foundUserOf(user),
    account: { ...accountRecordOf(user) },
    profile: profile ?? null,
    plan: holding.plan.slug,
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    sessions,
    invitations,
    ...billingAndFiles,
    trials,
    devices,
    mailRecipient,
    auditEntries: entries.map(({ id, data }) => auditEntryViewOf(id, data)),
  };
}

/**
 * Ends all sessions and tokens of a user.
 *
 * @throws Refusal `user_not_found`
 */
export async function endSessionsOf(backend: Backend, operator: Operator, uid: string): Promise<void> {
  const user = await requireAccount(backend, uid);
  await recordAction(backend, operator, { action: 'admin.sessions_ended', target: uid });
  await withAuthRefusalsForOperator(() =>
    endAllSessions(backend, userAsCaller(userStateOf(user), backend.now())),
  );
}

/**
 * Deletes an account with all its data, as its user could. Idempotent.
 *
 * @throws Refusal `user_not_found`, `user_is_last_owner_of`, `last_owner_of`
 */
export async function deleteUserAsOperator(backend: Backend, operator: Operator, uid: string): Promise<void> {
  const user = await requireAccount(backend, uid);
  try {
    await requireNotLastOwner(backend.db, uid);
    // Written before the deletion, which replaces the uid in the entry by a pseudonym.
    await recordAction(backend, operator, { action: 'admin.user_deleted', target: uid });
    await deleteAccount(backend, userAsCaller(userStateOf(user), backend.now()));
  } catch (error) {
    // The message of the other refusal speaks to the user, not to an operator.
    if (!hasRefusalCode(error, 'last_owner')) throw error;
    throw refusal('user_is_last_owner_of', { teams: error.values['teams'] ?? '' }, { cause: error });
  }
}

/**
 * Streams the personal data of a user as JSON.
 *
 * @param maxItems the most items of each list; by default as many as a request has time for
 * @throws Refusal `user_not_found`
 */
export async function exportUserAsOperator(
  backend: Backend,
  operator: Operator,
  uid: string,
  maxItems = MAX_EXPORTED,
): Promise<AsyncIterable<string>> {
  await requireAccount(backend, uid);
  await recordAction(backend, operator, { action: 'admin.user_exported', target: uid });
  return exportUser(backend, { uid, maxItems });
}

/** Keeps a request well below the 60 seconds that Hosting waits. */
const MAX_EXPORTED = 5_000;

/** Longer than a sync of the custom claims usually takes from its read to its write. */
const CONFIRM_AFTER_MS = 3_000;

const MAX_WRITES = 5;

/**
 * Grants or revokes the custom claim `admin`. Only the command line does this, so that no stolen session makes further
 * admins.
 *
 * Firebase Auth writes all claims of a user at once, without a precondition. A sync of other claims that has read the
 * former claims before may write them back. Therefore the claim is read again some seconds later, and written again if
 * it differs.
 *
 * @throws Refusal `user_not_found`
 */
export async function setOperator(
  backend: Backend,
  operator: Operator,
  uid: string,
  isOperator: boolean,
): Promise<void> {
  await requireAccount(backend, uid);
  const action = isOperator ? 'admin.claim_given' : 'admin.claim_taken';
  await recordAction(backend, operator, { action, target: uid });
  for (let writes = 0; writes < MAX_WRITES; writes++) {
    const { customClaims = {} } = await requireAccount(backend, uid);
    const others = withoutFields(customClaims, ['admin']);
    const claims = { ...others, ...(isOperator && { admin: true }) };
    if (writes > 0 && isDeepStrictEqual(claims, customClaims)) return;
    await withAuthRefusalsForOperator(() => backend.auth.setCustomUserClaims(uid, claims));
    await setTimeout(CONFIRM_AFTER_MS);
  }
  throw refusal('busy');
}
