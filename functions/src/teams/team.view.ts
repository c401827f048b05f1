import type { Member } from './member.store.ts';
import type { Role } from './roles.ts';
import type { Team } from './team.store.ts';

export interface TeamSummary {
  id: string;
  name: string;
  slug: string;
  /** Of the caller. */
  role: Role;
}

export interface TeamView extends TeamSummary {
  ownerId: string;
  plan: string;
  seatLimit: number;
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface MemberView {
  uid: string;
  role: Role;
  email: string | null;
  displayName: string | null;
  /** ISO 8601, UTC. */
  joinedAt: string;
}

export function summaryOf(id: string, { name, slug }: Pick<Team, 'name' | 'slug'>, role: Role): TeamSummary {
  return { id, name, slug, role };
}

export function viewOf(id: string, team: Team, role: Role): TeamView {
  const { ownerId, plan, seatLimit, createdAt } = team;
  return {
    ...summaryOf(id, team, role),
    ownerId,
    plan,
    seatLimit,
    createdAt: createdAt.toDate().toISOString(),
  };
}

export function memberViewOf({ uid, role, email, displayName, joinedAt }: Member): MemberView {
  return { uid, role, email, displayName, joinedAt: joinedAt.toDate().toISOString() };
}
