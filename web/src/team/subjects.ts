import type { Role, Session } from '@hearth/client';
import { can, type Action } from '@hearth/shared/roles';

/** For whom something is: oneself or a team. */
export interface Subject {
  /** A uid or a team's id: names its documents. */
  id: string;
  name: string;
  /** Its id, where it is a team. */
  team: string | undefined;
  /** The user's role in the team. */
  role: Role | undefined;
}

/** The subjects of an action: the user, and the teams in which the user's role allows it. */
export function subjectsOf(
  { user, teams }: Pick<Session, 'user' | 'teams'>,
  action: Action,
): [Subject, ...Subject[]] {
  const allowed = teams.filter(({ role }) => can(role, action));
  return [
    { id: user.uid, name: 'Yourself', team: undefined, role: undefined },
    ...allowed.map(({ id, name, role }) => ({ id, name, team: id, role })),
  ];
}
