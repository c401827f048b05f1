import type { Role } from '@hearth/shared/roles';
import { LRUCache } from 'lru-cache';
import { oncePer } from '../common/lazy.ts';
import type { Reads } from '../firestore/db.ts';
import type { Team } from '../firestore/documents/team.ts';
import { readPage, type PageRequest, type PageOf } from '../firestore/page.ts';
import { membershipsOf } from './members/member.store.ts';
import { isBeingDeleted } from './team.ts';

export interface TeamOfUser {
  readonly id: string;
  readonly team: Team;
  readonly role: Role;
}

interface TeamRole {
  readonly teamId: string;
  readonly role: Role;
}

/**
 * The teams of a user in the order in which the user joined, without teams that are being deleted. Reads one document
 * for each membership and one for each team.
 *
 * To save time, the teams that this instance found for the user last time are read together with the memberships. A
 * team that the user has left since then costs one read, but is not in the result.
 */
export async function teamsOf(reads: Reads, uid: string): Promise<TeamOfUser[]> {
  const lastTeams = lastTeamsOf(reads);
  const expected = lastTeams.get(uid) ?? [];
  const [memberships, teams] = await Promise.all([
    membershipsOf(reads, uid).findIntact(),
    reads.teams.getAllIntact(expected),
  ]);
  memberships.sort((a, b) => a.data.joinedAt.getTime() - b.data.joinedAt.getTime());
  const roles = memberships.map(({ parentId, data }) => ({ teamId: parentId, role: data.role }));
  const found = roles.map(({ teamId }) => teamId);
  lastTeams.set(uid, found.slice(0, MAX_EXPECTED));
  const others = await reads.teams.getAllIntact(found.filter((id) => !expected.includes(id)));
  return withoutDeleted(roles, new Map([...teams, ...others]));
}

/** By uid: the ids of the teams that `teamsOf` found last time. */
const lastTeamsOf = oncePer<Reads, LRUCache<string, readonly string[]>>(
  () => new LRUCache({ max: MAX_USERS }),
);

/** These limits bound the memory of `lastTeamsOf` to a few MB. */
const MAX_USERS = 5_000;
const MAX_EXPECTED = 20;

/** One page of `teamsOf`. Damaged teams, and teams that are being deleted, are left out and make the page shorter. */
export async function readPageOfTeams(
  reads: Reads,
  uid: string,
  page: PageRequest,
): Promise<PageOf<TeamOfUser>> {
  const { items, nextCursor } = await readPage(
    membershipsOf(reads, uid),
    page,
    {
      by: 'joinedAt',
      direction: 'asc',
      idOf: ({ parentId }) => parentId,
      pathOf: (teamId) => `teams/${teamId}/members/${uid}`,
    },
    ({ parentId, data }): TeamRole => ({ teamId: parentId, role: data.role }),
  );
  return { items: await withTeams(reads, items), nextCursor };
}

async function withTeams(reads: Reads, roles: readonly TeamRole[]): Promise<TeamOfUser[]> {
  return withoutDeleted(roles, await reads.teams.getAllIntact(roles.map(({ teamId }) => teamId)));
}

function withoutDeleted(roles: readonly TeamRole[], teams: ReadonlyMap<string, Team>): TeamOfUser[] {
  return roles.flatMap(({ teamId, role }) => {
    const team = teams.get(teamId);
    return team === undefined || isBeingDeleted(team) ? [] : [{ id: teamId, team, role }];
  });
}
