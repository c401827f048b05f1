import { ROLES, type Role } from '@hearth/shared/roles';
import type { Reads } from '../../firestore/db.ts';
import type { Member } from '../../firestore/documents/member.ts';
import type { Query } from '../../firestore/query.ts';

export function ownersOf(reads: Reads, teamId: string): Query<Member> {
  return reads.members(teamId).where('role', '==', 'owner' satisfies Role);
}

/** The members of a team in one role, in the order in which they joined. */
export function membersInRole(reads: Reads, teamId: string, role: Role): Query<Member> {
  return reads.members(teamId).where('role', '==', role).orderBy('joinedAt');
}

/** The members who are the owner or could become it. Finds nobody whose role or `joinedAt` is damaged. */
export function possibleOwnersOf(reads: Reads, teamId: string): Query<Member> {
  return reads.members(teamId).where('role', 'in', ROLES).orderBy('joinedAt');
}

/** True if a member of a team has a verified address, as stored in the membership. */
export async function hasMemberWith(reads: Reads, teamId: string, email: string): Promise<boolean> {
  return !(await reads.members(teamId).where('email', '==', email).isEmpty());
}

/** The memberships of a user in all teams. The id of each team is the `parentId`. */
export function membershipsOf(reads: Reads, uid: string): Query<Member> {
  return reads.group('members').where('uid', '==', uid);
}
