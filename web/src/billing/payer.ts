import type { Plan, Session } from '@hearth/client';
import type { Subject } from '../team/subjects.ts';

/**
 * The id of the subject whose plans are shown first: the team that the dashboard shows, or else the user. A plan that somebody
 * buys for themselves by mistake gives their team no seats.
 */
export function preselectedPayer(
  { user, teams }: Pick<Session, 'user' | 'teams'>,
  activeTeamId: string | null | undefined,
): string {
  const active = teams.find(({ id }) => id === activeTeamId) ?? teams[0];
  return active?.id ?? user.uid;
}

/** The plans that a subject can have: those that are for it, and its current plan. */
export function plansFor(
  plans: readonly Plan[],
  { team }: Pick<Subject, 'team'>,
  current: string | undefined,
): Plan[] {
  const type = team === undefined ? 'user' : 'team';
  return plans.filter((plan) => plan.for.includes(type) || plan.slug === current);
}
