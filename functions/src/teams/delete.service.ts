import { teamSchema } from '@hearth/shared/documents/team';
import { can } from '@hearth/shared/roles';
import type { Backend } from '../backend.ts';
import { logWarning } from '../common/log.ts';
import { timerOf } from '../common/timer.ts';
import { DamagedDocument, damageAsValue } from '../firestore/damage.ts';
import type { Tx } from '../firestore/db.ts';
import type { Member } from '../firestore/documents/member.ts';
import type { Team } from '../firestore/documents/team.ts';
import { REQUEST_MS, runInBatches, type Purge } from '../personal-data/purge.ts';
import { refusal } from '../refusals/refusals.ts';
import { possibleOwnersOf } from './members/member.store.ts';
import { releaseSlug } from './team.store.ts';
import { isBeingDeleted } from './team.ts';

/** An owner who deletes a team, or somebody who needs no owner for it. */
export type Deleter = OwnerWhoDeletes | DeleterWithoutMembership;

/** The owner in whose name the team is deleted. */
interface OwnerWhoDeletes {
  readonly uid: string;
  /** The actor in the audit log, if it is not the owner. */
  readonly actorId?: string;
  /** True if a damaged membership of the owner does not prevent the deletion. */
  readonly mayIgnoreDamage?: boolean;
}

/** An operator or the sweep, who need no membership. They also delete a team without an owner. */
interface DeleterWithoutMembership {
  readonly uid?: undefined;
  /** The actor in the audit log. */
  readonly actorId: string;
}

interface DeletionOptions {
  readonly endSubscription?: boolean;
  readonly isTimeUp?: () => boolean;
  readonly onlyIfAlone?: boolean;
}

/**
 * Deletes a team in steps. Idempotent: a call after a crash continues with the rest.
 *
 * 1. One transaction makes all checks and marks the team. From then on nobody can join or be invited.
 * 2. A running subscription ends immediately, without a refund and with a final invoice.
 * 3. The contents of the team are purged in batches.
 * 4. The owners are removed last, together with the team, so that an owner can repeat the request.
 *
 * A damaged document of the team does not prevent the deletion. The copies of the subscriptions then show whether one
 * is running.
 *
 * @param options.endSubscription the consent to end a running subscription
 * @param options.isTimeUp ends the batches; by default after the time of a request
 * @param options.onlyIfAlone for `OwnerWhoDeletes` only: changes nothing if the team has another member than the
 *   owner, unless its deletion has begun
 * @returns true if the team is deleted; false if the rest is left for the next call, or if nothing was changed because
 *   of `onlyIfAlone`
 * @throws Refusal `team_not_found`, `forbidden`; `subscription_running` if a subscription is running and
 *   `endSubscription` is not set; `billing_unavailable`: a repeated call continues the deletion
 */
export async function deleteTeamInSteps(
  backend: Backend,
  by: Deleter,
  teamId: string,
  options: DeletionOptions = {},
): Promise<boolean> {
  const { isTimeUp = timerOf(backend, REQUEST_MS) } = options;
  if (!(await markAsDeleting(backend, by, teamId, options))) return false;
  const purges = [...backend.featureHooks.purgeTeam, purgeOtherMembers];
  if (!(await runInBatches(backend, teamId, purges, isTimeUp))) return false;
  await deleteTeamAndOwners(backend, by, teamId);
  return true;
}

/** @returns false if the team is not marked, because `onlyIfAlone` is set and somebody else is a member */
async function markAsDeleting(
  backend: Backend,
  by: Deleter,
  teamId: string,
  { endSubscription = false, onlyIfAlone = false }: DeletionOptions,
): Promise<boolean> {
  return backend.db.run(async (tx) => {
    const team = await authorizeDeletion(tx, by, teamId);
    if (isMarked(team)) return true;
    if (onlyIfAlone && by.uid !== undefined && (await hasOtherMember(tx, teamId, by.uid))) return false;
    const isSubscribed = await hasSubscription(backend, tx, teamId, team);
    if (isSubscribed && !endSubscription) throw refusal('subscription_running');
    const at = backend.now();
    tx.teams.update(teamId, { deletingSince: at });
    tx.audit.record({
      teamId,
      actorId: actorOf(by),
      action: 'team.deletion_started',
      target: teamId,
      at,
      ...(isSubscribed && { details: { subscription: 'ended' } }),
    });
    return true;
  });
}

/**
 * True if somebody else could become the owner. Locks these members: a person who joins at the same time joins before
 * this read, or finds the mark. Ignores damaged members as `leaveTeams` does: otherwise the deletion would never end.
 */
async function hasOtherMember(tx: Tx, teamId: string, uid: string): Promise<boolean> {
  const found = await possibleOwnersOf(tx, teamId).limit(2).findPaths();
  return found.some(({ id }) => id !== uid);
}

/** True if the deletion has begun. */
function isMarked(team: Team | DamagedDocument): boolean {
  if (!(team instanceof DamagedDocument)) return isBeingDeleted(team);
  return team.field('deletingSince', teamSchema.shape.deletingSince) !== undefined;
}

/** True if a subscription of the team is running. A damaged team may have lost the field that says so. */
async function hasSubscription(
  { featureHooks }: Backend,
  tx: Tx,
  teamId: string,
  team: Team | DamagedDocument,
): Promise<boolean> {
  if (team instanceof DamagedDocument) return featureHooks.hasRunningSubscription(tx, teamId);
  return team.hasRunningSubscription === true;
}

/** Deletes the admins and members. The owners stay, because only an owner can repeat the request. */
const purgeOtherMembers: Purge = ({ db }, teamId, limit) =>
  db.purge(db.members(teamId).where('role', 'in', ['admin', 'member']), limit);

async function deleteTeamAndOwners(backend: Backend, by: Deleter, teamId: string): Promise<void> {
  await backend.db.run(async (tx) => {
    const team = await authorizeDeletion(tx, by, teamId);
    // The remaining members are the owners, and members with a damaged role, which no query by role finds.
    for (const { id } of await tx.members(teamId).findPaths()) tx.members(teamId).delete(id);
    for (const slug of await slugsOf(tx, teamId, team)) releaseSlug(tx, slug);
    tx.teams.delete(teamId);
    tx.audit.record({
      teamId,
      actorId: actorOf(by),
      action: 'team.deleted',
      target: teamId,
      at: backend.now(),
      ...(!(team instanceof DamagedDocument) && { details: { name: team.name, slug: team.slug } }),
    });
  });
}

function actorOf(by: Deleter): string {
  return by.uid === undefined ? by.actorId : (by.actorId ?? by.uid);
}

/**
 * Like `authorize`, but a damaged team can be deleted. If the membership of the owner is damaged, the owner cannot
 * delete the team. The deletion of the account can. An operator and the sweep need no membership.
 */
async function authorizeDeletion(tx: Tx, by: Deleter, teamId: string): Promise<Team | DamagedDocument> {
  const [team, member] = await Promise.all([
    damageAsValue(tx.teams.get(teamId)),
    by.uid === undefined ? undefined : damageAsValue(tx.members(teamId).get(by.uid)),
  ]);
  if (team === undefined) throw refusal('team_not_found');
  if (by.uid !== undefined) requireMayDelete(teamId, member, by);
  if (team instanceof DamagedDocument) {
    logWarning(`The team ${teamId} is deleted although its document is damaged.`, team);
  }
  return team;
}

/** @throws Refusal `team_not_found` for a caller who is not a member, `forbidden` for a member who is not an owner */
function requireMayDelete(
  teamId: string,
  member: Member | DamagedDocument | undefined,
  { mayIgnoreDamage = false }: OwnerWhoDeletes,
): void {
  if (member === undefined) throw refusal('team_not_found');
  if (member instanceof DamagedDocument) {
    if (!mayIgnoreDamage) throw member;
    logWarning(`The team ${teamId} is deleted although a membership is damaged.`, member);
  } else if (!can(member.role, 'team:delete')) {
    throw refusal('forbidden');
  }
}

/** The slugs to release. A query finds those of a damaged team. */
async function slugsOf(tx: Tx, teamId: string, team: Team | DamagedDocument): Promise<string[]> {
  if (!(team instanceof DamagedDocument)) return [team.slug];
  return (await tx.teamSlugs.where('teamId', '==', teamId).findPaths()).map(({ id }) => id);
}
