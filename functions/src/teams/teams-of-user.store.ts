import type { Role } from '@hearth/shared/roles';
import { LRUCache } from 'lru-cache';
import { oncePer } from '../common/lazy.ts';
import type { Reads } from '../firestore/db.ts';
import type { Member } from '../firestore/documents/member.ts';
import type { Team } from '../firestore/documents/team.ts';
import { readPage, type PageRequest, type PageOf } from '../firestore/page.ts';
import { membershipsOf } from './members/member.store.ts';
import { isBeingDeleted } from './team.ts';

export interface TeamOfUser {
  readonly id: string;
  readonly team: Team;
  readonly role: Role;
  /** The address in the membership. */
  readonly email: string | null;
}

interface Membership {
  readonly teamId: string;
  readonly role: Role;
  readonly email: string | null;
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
  const own = memberships.map(membershipOf);
  const found = own.map(({ teamId }) => teamId);
  lastTeams.set(uid, found.slice(0, MAX_EXPECTED));
  const others = await reads.teams.getAllIntact(found.filter((id) => !expected.includes(id)));
  return withoutDeleted(own, new Map([...teams, ...others]));
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
    membershipOf,
  );
  return { items: await withTeams(reads, items), nextCursor };
}

function membershipOf({ parentId, data }: { parentId: string; data: Member }): Membership {
  return { teamId: parentId, role: data.role, email: data.email };
}

async function withTeams(reads: Reads, own: readonly Membership[]): Promise<TeamOfUser[]> {
  return withoutDeleted(own, await reads.teams.getAllIntact(own.map(({ teamId }) => teamId)));
}

function withoutDeleted(own: readonly Membership[], teams: ReadonlyMap<string, Team>): TeamOfUser[] {
  return own.flatMap(({ teamId, role, email }) => {
    const team = teams.get(teamId);
    return team === undefined || isBeingDeleted(team) ? [] : [{ id: teamId, team, role, email }];
  });
}
