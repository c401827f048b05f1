import type { Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { Costs } from '../common/costs.ts';
import type { RefusalCode } from '../refusals/refusals.ts';

/** Data about a request in `response.locals`, for later steps and for the log. */
export interface RequestLocals {
  /** Undefined before authentication, and for a request without a user. */
  caller?: Caller;
  /** Set if the handler runs during the check of the session. Rejects if the session has ended. */
  sessionCheck?: Promise<void>;
  costs?: Costs;
  refusal?: RefusalCode;
}

export function localsOf({ locals }: Pick<Response, 'locals'>): RequestLocals {
  return locals;
}

export function findCaller(response: Response): Caller | undefined {
  return localsOf(response).caller;
}

/** @throws Error if the request was not authenticated */
export function requireCaller(response: Response): Caller {
  const caller = findCaller(response);
  if (caller === undefined) throw new Error('This request was not authenticated.');
  return caller;
}
