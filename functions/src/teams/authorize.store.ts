import { can, isAtLeast, type Action, type Role } from '@hearth/shared/roles';
import type { Caller } from '../auth/caller.ts';
import { DamagedDocument, damageAsValue } from '../firestore/damage.ts';
import type { Reads } from '../firestore/db.ts';
import type { Member } from '../firestore/documents/member.ts';
import type { Team } from '../firestore/documents/team.ts';
import { refusal } from '../refusals/refusals.ts';
import { isBeingDeleted } from './team.ts';

export interface AuthorizedMember {
  readonly team: Team;
  readonly member: Member;
}

/**
 * Requires that the caller's role in a team allows an action. Reads two documents: the team and the membership of the
 * caller. If the team is being deleted, `team:delete` is the only allowed action.
 *
 * @throws Refusal `team_not_found` if the caller is not a member, `forbidden` if their role does not allow the action
 */
export async function authorize(
  reads: Reads,
  { uid }: Pick<Caller, 'uid'>,
  teamId: string,
  action: Action,
): Promise<AuthorizedMember> {
  const [team, member] = await Promise.all([
    damageAsValue(reads.teams.get(teamId)),
    reads.members(teamId).get(uid),
  ]);
  if (team === undefined || member === undefined) throw refusal('team_not_found');
  // Only a member gets this error, because it shows that the team exists.
  if (team instanceof DamagedDocument) throw team;
  if (isBeingDeleted(team) && action !== 'team:delete') throw refusal('team_not_found');
  if (!can(member.role, action)) throw refusal('forbidden');
  return { team, member };
}

/** @throws Refusal `role_above_own` if the actor is not allowed to give, change or remove this role */
export function requireRoleNotAboveOwn(actor: Pick<Member, 'role'>, role: Role): void {
  if (!isAtLeast(actor.role, role)) throw refusal('role_above_own', { role });
}
