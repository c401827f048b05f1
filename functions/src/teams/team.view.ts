import * as z from 'zod';
import { instant } from '../instant.ts';
import { cleanName } from '../name.ts';
import type { Member } from './member.store.ts';
import type { Role } from './roles.ts';
import { roleSchema } from './team.schema.ts';
import type { Team } from './team.store.ts';

export const teamSummary = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    role: roleSchema.describe("The caller's."),
  })
  .meta({ id: 'TeamSummary' });

export type TeamSummary = z.output<typeof teamSummary>;

export const teamView = teamSummary
  .extend({
    ownerId: z.string().describe('The owner who answers for the team.'),
    plan: z.string(),
    seatLimit: z.int(),
    createdAt: instant,
  })
  .meta({ id: 'Team' });

export type TeamView = z.output<typeof teamView>;

export const memberView = z
  .strictObject({
    uid: z.string(),
    role: roleSchema,
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    joinedAt: instant,
  })
  .meta({ id: 'Member' });

export type MemberView = z.output<typeof memberView>;

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

/** Cleans the name, because the document may be older than the rules for names. */
export function memberViewOf({ uid, role, email, displayName, joinedAt }: Member): MemberView {
  return { uid, role, email, displayName: cleanName(displayName), joinedAt: joinedAt.toDate().toISOString() };
}
