import type { RequestHandler, Response } from 'express';
import { assertNotAnonymous } from '../../auth/anonymous.ts';
import { callerOf, type Caller } from '../../auth/caller.ts';
import { validate } from '../../http/validate.ts';
import { cleanTeamName } from '../../common/name.ts';
import type { Backend } from '../../backend.ts';
import { authorizeLegacy, directly } from '../../teams/authorize.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';

/** Who pays: a user or a team. */
export interface Subject {
  /** Names its document in `customers`: a uid or the id of a team. */
  customerId: string;
  type: 'user' | 'team';
  /** Where Stripe writes to, and what it calls the customer it makes. */
  email: string | null;
  name: string | null;
  /** The uid of who answers for it: the user, or the owner of the team. */
  ownerId: string;
  /** Uid and address of the user who makes the request. */
  callerId: string;
  callerEmail: string | null;
}

/** The metadata of the Stripe customer that tells whose it is; that of users has the name the Stripe extension gives. */
export function markOf({ type }: Pick<Subject, 'type'>): string {
  return type === 'user' ? 'firebaseUID' : 'teamId';
}

/**
 * Finds out once, before the handlers, for whom they work: the caller, or the team that `?team=` names. Everything after
 * works on the subject and on nothing else that the request names.
 *
 * @throws Refusal as authorize: 404 for a team that the caller is not in, 403 if their role may not manage its billing or
 *   their account is anonymous: its user could lose it while the subscription goes on
 */
export function billedSubject(backend: Backend): RequestHandler {
  return async (request, response, next) => {
    const teamId = validate(teamIdSchema.optional(), request.query['team']);
    const caller = callerOf(response);
    assertNotAnonymous(caller);
    response.locals['subject'] =
      teamId === undefined ? userSubject(caller) : await teamSubject(backend, caller, teamId);
    next();
  };
}

/** @throws Error when the route stands outside of a billing group: a fault in app.ts, not in the request. */
export function subjectOf(response: Response): Subject {
  const subject = response.locals['subject'] as Subject | undefined;
  if (subject === undefined) throw new Error('This route is mounted without its billed subject.');
  return subject;
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
