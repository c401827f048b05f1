import { callerOf } from '../authorize.ts';
import type { Caller } from '../authorize.ts';
import type { RpcContext } from './handler.ts';

/** What a request's headers tell of who sends it, and the context in which it is answered. */
export interface Sender {
  readonly caller: Caller;
  readonly context: RpcContext;
}

/**
 * Reads the headers that matter here, whatever transport brings them: `authorization`, and `x-usage-label`, by which
 * the ledger tells the requests that carry it from others. `header` finds one by its name in lower case.
 */
export function senderOf(context: RpcContext, header: (name: string) => string | undefined): Sender {
  const label = header('x-usage-label');
  return {
    caller: callerOf(header('authorization')),
    context: label === undefined ? context : { ...context, ledger: context.ledger.labelled(label) },
  };
}
