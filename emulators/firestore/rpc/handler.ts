import type { Caller } from '../authorize.ts';
import type { Ledger } from '../ledger.ts';
import type { IndexPolicy } from '../query/index-policy.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { Guard } from '../rules/guard.ts';
import type { Rulesets } from '../rules/rulesets.ts';
import type { Store } from '../store.ts';

/** What every RPC works on, whatever transport it came by. */
export interface RpcContext {
  readonly store: Store;
  readonly ledger: Ledger;
  /** Undefined lets every query run, whatever indexes are deployed. */
  readonly indexes: IndexPolicy | undefined;
  readonly rulesets: Rulesets;
  /** Undefined where nobody can look at the requests. */
  readonly requests: RequestLog | undefined;
}

/** What one request is answered with. */
export interface RequestContext extends RpcContext {
  readonly caller: Caller;
  /** Judges what the handler reads and writes; undefined for administrators. */
  readonly guard: Guard | undefined;
}

/** Answers one message with one; a throw of StatusError is the RPC's status. */
export type UnaryHandler<Request> = (context: RequestContext, request: Request) => Promise<object>;

/** Answers one message with a stream of them. */
export type StreamingHandler<Request> = (
  context: RequestContext,
  request: Request,
) => Promise<Iterable<object>>;

/** The client's side of a bidirectional stream. */
export interface Requests<Request> {
  /** A throw of StatusError ends the stream with it. */
  receive(request: Request): void;
  /** The client will send nothing more. */
  end(): void;
  /** Nobody will read a response any more. */
  cancel(): void;
}

/** The server's side of a bidirectional stream. */
export interface Responses {
  send(message: object): void;
  end(): void;
  fail(error: unknown): void;
}

/** Serves one bidirectional stream; it judges for each request what the caller may do. */
export type BidirectionalHandler<Request> = (
  context: RequestContext,
  responses: Responses,
) => Requests<Request>;
