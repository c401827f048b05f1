import type { Reads, Tx } from '../firestore/db.ts';
import type { Team } from '../firestore/documents/team.ts';
import type { Query } from '../firestore/query.ts';
import { refusal } from '../refusals/refusals.ts';

/** Teams whose deletion began before a time, the oldest deletion first. */
export function teamsInDeletion(reads: Reads, before: Date): Query<Team> {
  return reads.teams.where('deletingSince', '<=', before).orderBy('deletingSince');
}

/**
 * Requires that the user is the responsible owner of fewer teams than the limit. The count locks these teams, so that
 * concurrent transactions cannot exceed the limit together.
 *
 * @throws Refusal `team_limit` if one more team would be too many
 */
export async function requireBelowTeamLimit(tx: Tx, uid: string, teamLimit: number): Promise<void> {
  const owned = await tx.teams.where('ownerId', '==', uid).count();
  if (owned >= teamLimit) throw refusal('team_limit', { limit: teamLimit });
}

export function writeTeam(tx: Tx, teamId: string, team: Team): void {
  tx.teams.create(teamId, team);
  takeSlug(tx, team.slug, teamId);
}

/** Gives a team a slug that the transaction has read as free. */
export function takeSlug(tx: Tx, slug: string, teamId: string): void {
  tx.teamSlugs.create(slug, { teamId });
}

export function releaseSlug(tx: Tx, slug: string): void {
  tx.teamSlugs.delete(slug);
}
