import type { Ledger } from '../ledger.ts';
import type { Store } from '../store.ts';

/** What every RPC works on, whatever transport it came by. */
export interface RpcContext {
  readonly store: Store;
  readonly ledger: Ledger;
}

/** Answers one message with one; a throw of StatusError is the RPC's status. */
export type UnaryHandler<Request> = (context: RpcContext, request: Request) => Promise<object>;

/** Answers one message with a stream of them. */
export type StreamingHandler<Request> = (context: RpcContext, request: Request) => Promise<Iterable<object>>;
