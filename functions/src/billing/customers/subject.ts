import { assertNotAnonymous } from '../../auth/anonymous.ts';
import type { Caller } from '../../auth/caller.ts';
import { cleanTeamName } from '../../common/name.ts';
import type { Backend } from '../../backend.ts';
import { authorizeLegacy, directly } from '../../teams/authorize.ts';

/** The user or team that pays. */
export interface Subject {
  /** Id of its document in `customers`: a uid or the id of a team. */
  customerId: string;
  type: 'user' | 'team';
  /** Address and name of the Stripe customer. */
  email: string | null;
  name: string | null;
  /** The uid of the user, or of the responsible owner of the team. */
  ownerId: string;
  /** Uid and address of the user who makes the request. */
  callerId: string;
  callerEmail: string | null;
}

/** Metadata key of the Stripe customer with the id of its subject. The key for users is that of Firebase's Stripe extension. */
export function markOf({ type }: Pick<Subject, 'type'>): string {
  return type === 'user' ? 'firebaseUID' : 'teamId';
}

/**
 * The subject that a request bills: the caller, or the team with this id.
 *
 * @throws Refusal 403 `anonymous_account`, because its user could lose the account while the subscription continues; 404 or
 *   403 as `authorize` if the caller may not manage the billing of the team
 */
export async function billedSubject(
  backend: Backend,
  caller: Caller,
  teamId: string | undefined,
): Promise<Subject> {
  assertNotAnonymous(caller);
  return teamId === undefined ? userSubject(caller) : teamSubject(backend, caller, teamId);
}

function userSubject({ uid, email, displayName }: Caller): Subject {
  return {
    customerId: uid,
    type: 'user',
    email: email ?? null,
    name: displayName ?? null,
    ownerId: uid,
    callerId: uid,
    callerEmail: email ?? null,
  };
}

async function teamSubject(backend: Backend, caller: Caller, teamId: string): Promise<Subject> {
  const firestore = await backend.firestore();
  const { team } = await authorizeLegacy(directly, firestore, caller, teamId, 'billing:manage');
  return {
    customerId: teamId,
    type: 'team',
    email: caller.email ?? null,
    name: cleanTeamName(team.name),
    ownerId: team.ownerId,
    callerId: caller.uid,
    callerEmail: caller.email ?? null,
  };
}
