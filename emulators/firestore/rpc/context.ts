import { callerOf } from '../authentication.ts';
import type { Caller } from '../authentication.ts';
import type { Ledger } from '../ledger.ts';
import type { IndexPolicy } from '../query/indexes/policy.ts';
import type { RequestLog } from '../requests/request-log.ts';
import { Guard } from '../rules/guard.ts';
import type { Rulesets } from '../rules/rulesets/rulesets.ts';
import type { Store } from '../store.ts';

/** The parts of the server that every RPC uses. */
export interface RpcContext {
  readonly store: Store;
  readonly ledger: Ledger;
  /** Undefined if queries need no deployed index. */
  readonly indexes: IndexPolicy | undefined;
  readonly rulesets: Rulesets;
  /** Undefined if requests are not logged. */
  readonly requests: RequestLog | undefined;
}

/** The context of one request. */
export interface RequestContext extends RpcContext {
  readonly caller: Caller;
  /** Evaluates the security rules for the request. Undefined for administrators, who bypass them. */
  readonly guard: Guard | undefined;
}

/**
 * Reads a request's headers, which every transport has: `authorization`, and `x-usage-label`, under which the ledger
 * counts the request. `header` finds a header by its name in lower case.
 */
export function requestContext(
  context: RpcContext,
  header: (name: string) => string | undefined,
): RequestContext {
  const label = header('x-usage-label');
  const ledger = label === undefined ? context.ledger : context.ledger.labeled(label);
  const caller = callerOf(header('authorization'));
  const guard = caller.kind === 'admin' ? undefined : new Guard({ ...context, ledger }, caller.token);
  return { ...context, ledger, caller, guard };
}

/** Answers one message with one. A thrown StatusError is the RPC's status. */
export type UnaryHandler<Request> = (context: RequestContext, request: Request) => Promise<object>;

/** Answers one message with a stream of messages. */
export type StreamingHandler<Request> = (
  context: RequestContext,
  request: Request,
) => Promise<Iterable<object>>;

/** The client's side of a bidirectional stream. */
export interface Requests<Request> {
  /** A thrown StatusError ends the stream with it. */
  receive(request: Request): void;
  /** The client sends no further request. */
  end(): void;
  /** The client reads no further response. */
  cancel(): void;
}

/** The server's side of a bidirectional stream. */
export interface Responses {
  send(message: object): void;
  end(): void;
  fail(error: unknown): void;
}

/** Serves one bidirectional stream. */
export type BidirectionalHandler<Request> = (
  context: RequestContext,
  responses: Responses,
) => Requests<Request>;
