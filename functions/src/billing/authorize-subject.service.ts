import { requireNotAnonymous } from '../auth/anonymous.ts';
import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { cleanTeamName } from '../common/name.ts';
import { authorize } from '../teams/authorize.store.ts';
import { actorOf, userSubject, type Subject } from './subject.ts';

/**
 * Finds the subject of a request: the team, or the caller if `teamId` is undefined. Reads two documents for a team.
 *
 * @throws Refusal `anonymous_account`, because an anonymous account can be lost while its subscription continues;
 *   `team_not_found` or `forbidden` if the caller is not allowed to manage the billing of the team
 */
export async function authorizeSubject(
  backend: Backend,
  caller: Caller,
  teamId: string | undefined,
): Promise<Subject> {
  requireNotAnonymous(caller);
  return teamId === undefined ? userSubject(caller) : teamSubject(backend, caller, teamId);
}

async function teamSubject({ db }: Backend, caller: Caller, teamId: string): Promise<Subject> {
  const { team } = await authorize(db, caller, teamId, 'billing:manage');
  return {
    customerId: teamId,
    type: 'team',
    email: team.billingEmail ?? caller.email ?? null,
    name: cleanTeamName(team.name),
    ownerId: team.ownerId,
    actor: actorOf(caller),
  };
}
