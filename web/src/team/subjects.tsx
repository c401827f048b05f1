import type { Role, Session } from '@hearth/client';
import { can, type Action } from '@hearth/shared/roles';
import { Select } from '../ui/form.tsx';

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

interface SubjectChoiceProps {
  subjects: Subject[];
  value: Subject;
  onSelect: (id: string) => void;
}

/** Asks for whom; nothing where there is no choice. */
export function SubjectChoice({ subjects, value, onSelect }: SubjectChoiceProps) {
  if (subjects.length < 2) return null;
  return (
    <div class="choice">
      <Select
        label="For"
        value={value.id}
        options={subjects.map(({ id, name }) => [id, name])}
        onSelect={onSelect}
      />
    </div>
  );
}
