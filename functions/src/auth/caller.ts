import type { Response } from 'express';

/** Who makes a request, as Firebase Auth knows them now (not as they were when their token was issued). */
export interface Caller {
  readonly uid: string;
  /** Lower case; undefined for accounts without e-mail. */
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | undefined;
  /** Clean: see `profileOf`. */
  readonly displayName: string | undefined;
  readonly photoURL: string | undefined;
  /** Whether the session is of an anonymous account: without address, password or provider. */
  readonly isAnonymous: boolean;
  /** Slug of the plan that their own subscriptions give; undefined on the free one. */
  readonly plan: string | undefined;
  /** When they proved who they are; a session goes on for days without that. */
  readonly signedInAt: Date;
}

/** The part of Express's response that the authentication of a router group fills in. */
export function setCaller(response: Response, caller: Caller): void {
  response.locals['caller'] = caller;
}

/** The caller of a route that is open to everyone; undefined where nobody is signed in. */
export function callerIfAny(response: Response): Caller | undefined {
  return response.locals['caller'] as Caller | undefined;
}

/** @throws Error when the route stands outside an authenticated group: a fault in app.ts, not in the request. */
export function callerOf(response: Response): Caller {
  const caller = callerIfAny(response);
  if (caller === undefined) throw new Error('This route is mounted outside an authenticated group.');
  return caller;
}
