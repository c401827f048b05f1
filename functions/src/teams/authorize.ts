import { can, isAtLeast, type Action, type Role } from '@hearth/shared/roles';
import type { Caller } from '../auth/caller.ts';
import { DamagedDocument, damageAsValue } from '../firestore/convert.ts';
import type { Reads } from '../firestore/db.ts';
import type { Member } from '../firestore/documents/member.ts';
import type { Team } from '../firestore/documents/team.ts';
import { refusal } from '../refusals/refusals.ts';
import { isBeingDeleted } from './team.ts';

/** A team, and the caller's membership that allows the action. */
export interface AuthorizedMember {
  readonly team: Team;
  readonly member: Member;
}

/**
 * Reads the team and the caller's membership, and checks the action against the table of roles. Every route of a team
 * begins with it. Reads two documents.
 *
 * A caller outside the team cannot learn whether it exists. A team that is being deleted only allows its deletion to
 * continue.
 *
 * @param reads a transaction if something is written afterwards, otherwise the database
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
  // Thrown to members only: a stranger would learn from the damage that the team exists.
  if (team instanceof DamagedDocument) throw team;
  if (isBeingDeleted(team) && action !== 'team:delete') throw refusal('team_not_found');
  if (!can(member.role, action)) throw refusal('forbidden');
  return { team, member };
}

/** @throws Refusal `role_above_own` if the actor is not allowed to give, change or remove this role */
export function requireCanHandle(actor: Pick<Member, 'role'>, role: Role): void {
  if (!isAtLeast(actor.role, role)) throw refusal('role_above_own', { role });
}
