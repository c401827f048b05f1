import type { Role, Session } from '@hearth/client';
import type { Membership } from './documents.ts';
import { teamTexts } from './texts.ts';

/** The user or a team: it has files, and a plan. */
export interface Subject {
  /** A uid or a team's id: names its documents. */
  id: string;
  name: string;
  /** Its id if it is a team. */
  team: string | undefined;
  /** The user's role in the team. */
  role: Role | undefined;
}

/**
 * The user and their teams.
 *
 * @param memberships newer than the session; undefined if they are not known
 */
export function subjectsOf(
  { user, teams }: Pick<Session, 'user' | 'teams'>,
  memberships: readonly Membership[] | undefined,
): [Subject, ...Subject[]] {
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const joined = memberships ?? teams.map(({ id, role }) => ({ teamId: id, role }));
  return [
    { id: user.uid, name: teamTexts().yourself, team: undefined, role: undefined },
    ...joined.map(({ teamId, role }) => ({ id: teamId, name: names.get(teamId) ?? '…', team: teamId, role })),
  ];
}

/**
 * The subject that is shown: the wanted one, or else the first team. A plan that somebody buys for themselves by
 * mistake gives their team no seats.
 */
export function preselectedSubject(
  subjects: readonly [Subject, ...Subject[]],
  wanted: string | null | undefined,
): Subject {
  return subjects.find(({ id }) => id === wanted) ?? subjects[1] ?? subjects[0];
}
