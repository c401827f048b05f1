import type { Session } from '@hearth/client';
import { can } from '../../../functions/src/teams/roles.ts';

/** Who pays: oneself or a team. */
export interface Payer {
  /** Names its document in `customers`. */
  customerId: string;
  name: string;
  /** Its id, where it is a team. */
  team: string | undefined;
}

/** For whom somebody may buy: for themselves, and for the teams whose billing they manage. */
export function payersOf({ user, teams }: Pick<Session, 'user' | 'teams'>): [Payer, ...Payer[]] {
  const managed = teams.filter(({ role }) => can(role, 'billing:manage'));
  return [
    { customerId: user.uid, name: 'Yourself', team: undefined },
    ...managed.map(({ id, name }) => ({ customerId: id, name, team: id })),
  ];
}
