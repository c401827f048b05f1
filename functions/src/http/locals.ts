import type { Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { Costs } from '../common/costs.ts';
import type { RefusalCode } from '../refusals/refusals.ts';

/** Data about a request in `response.locals`, for later steps and for the log. */
export interface RequestLocals {
  /** Undefined before authentication, and for a request without a user. */
  caller?: Caller;
  /**
   * Set if the handler may run during the check of the session. Rejects if the session has ended. `handlerOf` in
   * `http/mount.ts` awaits this promise before it sends the answer.
   */
  sessionCheck?: Promise<void>;
  costs?: Costs;
  /** The code of the refusal that was the answer. */
  refusal?: RefusalCode;
}

export function localsOf({ locals }: Pick<Response, 'locals'>): RequestLocals {
  return locals;
}
