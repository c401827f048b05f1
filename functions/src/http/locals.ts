import type { Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { Costs } from '../common/costs.ts';
import type { RefusalCode } from '../refusals/refusals.ts';

/** Data about a request that its guards leave in `response.locals` for later steps and for the log. */
export interface RequestLocals {
  /** The user who makes the request; undefined before authentication, and for a request without a user. */
  caller?: Caller;
  /**
   * Rejects if the session of the request has ended. A request that only reads goes on while this promise is pending:
   * its handler reads documents at the same time. `handlerOf` in `http/mount.ts` awaits the promise before it sends the
   * answer.
   */
  sessionCheck?: Promise<void>;
  costs?: Costs;
  /** The code of the refusal that was the answer. */
  refusal?: RefusalCode;
}

/** The typed view of `response.locals`. */
export function localsOf({ locals }: Pick<Response, 'locals'>): RequestLocals {
  return locals;
}
