import { authorize } from '../authorize.ts';
import type { Caller } from '../authorize.ts';
import { unimplemented } from '../errors.ts';
import type { RpcContext } from './handler.ts';
import { streamingMethods, unaryMethods } from './methods.ts';

// The way from every transport to the methods. The request's shape is that of the method's message, which the transport
// guarantees.

/** Rejects with the StatusError to answer. */
export async function callUnary(
  context: RpcContext,
  caller: Caller,
  method: string,
  request: unknown,
): Promise<object> {
  const handler = unaryMethods[method];
  if (!handler) throw unimplemented(method);
  authorize(caller);
  return handler({ ...context, caller }, request as never);
}

/** Rejects with the StatusError to answer. */
export async function callStreaming(
  context: RpcContext,
  caller: Caller,
  method: string,
  request: unknown,
): Promise<Iterable<object>> {
  const handler = streamingMethods[method];
  if (!handler) throw unimplemented(method);
  authorize(caller);
  return handler({ ...context, caller }, request as never);
}
