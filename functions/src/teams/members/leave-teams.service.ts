import type { Role } from '@hearth/shared/roles';
import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import { DamagedDocument, damageAsValue } from '../../firestore/damage.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import { SYSTEM, type AuditAction } from '../../firestore/documents/audit-entry.ts';
import type { Member } from '../../firestore/documents/member.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { refusal } from '../../refusals/refusals.ts';
import { enqueueTeamContactSyncOrLog, enqueueSeatSyncOrLog } from '../enqueue-billing-syncs.ts';
import { isBeingDeleted } from '../team.ts';
import { membershipsOf, membersInRole, ownersOf } from './member.store.ts';
import { ensureOtherResponsibleOwner } from './ownership.store.ts';
import { endRights } from './rights.store.ts';

/**
 * The cause of the deletion of an account:
 *
 * - `request`: the user or an operator asked for it. A last owner is refused. The actor in the audit log is the user.
 * - `event`: the account is already deleted. If its user was the last owner of a team, the admin who joined first
 *   becomes the owner; without an admin, the member who joined first. The actor is `system`.
 */
export type DeletionCause = 'request' | 'event';

export function deletionActorOf(uid: string, cause: DeletionCause): string {
  return cause === 'request' ? uid : SYSTEM;
}

/**
 * Refuses if the user is the only owner of a team. Reads one document for each membership, and two or three for each
 * team that the user owns. Damaged teams are ignored, so that they do not prevent the deletion of the account.
 *
 * @throws Refusal `last_owner_of`, which names the teams
 */
export async function requireNotLastOwner(db: Db, uid: string): Promise<void> {
  const memberships = await membershipsOf(db, uid).findIntact();
  const owned = memberships.filter(({ data }) => data.role === 'owner');
  const teams = await db.teams.getAllIntact(owned.map(({ parentId }) => parentId));
  const names = await Promise.all(
    [...teams].map(async ([teamId, team]) => {
      if (isBeingDeleted(team)) return [];
      const owners = await ownersOf(db, teamId).limit(2).findPaths();
      return owners.length < 2 ? [team.name] : [];
    }),
  );
  if (names.flat().length > 0) throw lastOwnerRefusal(names.flat());
}

export interface LeaveOptions {
  cause: DeletionCause;
  /** Asked after each team. */
  isTimeUp: () => boolean;
}

/**
 * Removes a user from their teams, because the account is deleted. Idempotent. Damaged documents do not prevent the
 * removal.
 *
 * A last owner stays in a team if nobody else can become an owner, or if the team is being deleted. The calling
 * function then deletes the team by `deleteTeamInSteps`, which needs an owner.
 *
 * @returns the ids of the teams in which the user stays; undefined if the time was up before the last team
 * @throws Refusal `last_owner_of` for the cause "request"
 */
export async function leaveTeams(
  backend: Backend,
  uid: string,
  { cause, isTimeUp }: LeaveOptions,
): Promise<string[] | undefined> {
  const remaining: string[] = [];
  for (const { parentId: teamId } of await membershipsOf(backend.db, uid).findPaths()) {
    const { hasLeft, team } = await backend.db.run((tx) =>
      leaveTeam(backend, { tx, teamId, uid, cause, now: backend.now() }),
    );
    if (!hasLeft) remaining.push(teamId);
    else if (team !== undefined) {
      await enqueueSeatSyncOrLog(backend, teamId, team);
      await enqueueTeamContactSyncOrLog(backend, teamId, team);
    }
    if (isTimeUp()) return undefined;
  }
  return remaining;
}

interface Leaving {
  readonly tx: Tx;
  readonly teamId: string;
  readonly uid: string;
  readonly cause: DeletionCause;
  readonly now: Date;
}

/** @returns `hasLeft` false if the user stays; `team` undefined if it is missing or damaged */
async function leaveTeam(
  backend: Backend,
  leaving: Leaving,
): Promise<{ hasLeft: boolean; team: Team | undefined }> {
  const { tx, teamId, uid, cause, now } = leaving;
  const [foundTeam, foundMember] = await Promise.all([
    damageAsValue(tx.teams.get(teamId)),
    damageAsValue(tx.members(teamId).get(uid)),
  ]);
  const [team, member] = [ignoreDamage(foundTeam), ignoreDamage(foundMember)];
  if (foundMember === undefined) return { hasLeft: true, team };
  if (foundTeam !== undefined) {
    // A member whose document is damaged may be the last owner.
    const isOwner = member === undefined || member.role === 'owner';
    if (isOwner && !(await appointOwnerIfLast(leaving, team, member))) return { hasLeft: false, team };
    // `forgetBillingEmail` removes the address of the account.
    const emails = [member?.email ?? null];
    const loss = { teamId, uid, emails, role: undefined, actorId: deletionActorOf(uid, cause), now };
    // The deletion of the account cancels the invitations that one transaction leaves: see `forgetInvitationsBy`.
    await endRights(tx, loss, team, backend.featureHooks.endGivenRights);
    record(leaving, 'member.left', uid, member === undefined ? {} : { role: member.role });
  }
  tx.members(teamId).delete(uid);
  return { hasLeft: true, team };
}

function ignoreDamage<Doc>(found: Doc | DamagedDocument): Doc | undefined {
  if (!(found instanceof DamagedDocument)) return found;
  logWarning(`The user leaves the team although ${found.path} is damaged.`, found);
  return undefined;
}

/**
 * Makes sure that the team has another owner before the user leaves. If there is no other owner:
 *
 * - For the cause `event`, the admin who joined first becomes the owner; without an admin, the member who joined first.
 * - For the cause `request`, refuses, because the user can make somebody else an owner first. If a document is damaged,
 *   the user cannot do this. Then the same person as for `event` becomes the owner.
 *
 * @param team undefined if its document is damaged
 * @param member undefined if its document is damaged
 * @returns false if nobody else is left, or if the team is being deleted
 * @throws Refusal `last_owner_of` for the cause "request", if no document is damaged
 */
async function appointOwnerIfLast(
  leaving: Leaving,
  team: Team | undefined,
  member: Member | undefined,
): Promise<boolean> {
  const { tx, teamId, uid, cause } = leaving;
  if (await ensureOtherResponsibleOwner(tx, { id: teamId, data: team }, uid)) return true;
  if (team !== undefined && isBeingDeleted(team)) return false;
  if (cause === 'request' && team !== undefined && member !== undefined) {
    throw lastOwnerRefusal([team.name]);
  }
  const successor = await findSuccessor(leaving);
  if (successor === undefined) return false;
  tx.members(teamId).update(successor.uid, { role: 'owner' });
  tx.teams.update(teamId, { ownerId: successor.uid });
  record(leaving, 'member.role_changed', successor.uid, { from: successor.role, to: 'owner' });
  return true;
}

/** The admin who joined first; without an admin, the member who joined first. Leaves out the user who leaves. */
async function findSuccessor({ tx, teamId, uid }: Leaving): Promise<{ uid: string; role: Role } | undefined> {
  for (const role of ['admin', 'member'] as const) {
    const found = await membersInRole(tx, teamId, role).limit(2).findPaths();
    const first = found.find(({ id }) => id !== uid);
    if (first !== undefined) return { uid: first.id, role };
  }
  return undefined;
}

/** Records an entry without the e-mail address, because the entry outlives the account. */
function record(
  { tx, teamId, uid, cause, now }: Leaving,
  action: AuditAction,
  target: string,
  details: Record<string, string>,
): void {
  const actorId = deletionActorOf(uid, cause);
  const reason = 'account_deleted';
  tx.audit.record({ teamId, actorId, action, target, at: now, details: { ...details, reason } });
}

function lastOwnerRefusal(names: readonly string[]) {
  return refusal('last_owner_of', { teams: names.join(', ') });
}
