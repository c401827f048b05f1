import { guardOf } from '../authorize.ts';
import { unimplemented } from '../errors.ts';
import { streamingMethods, unaryMethods } from './methods.ts';
import type { Sender } from './sender.ts';

// The way from every transport to the methods. The request's shape is that of the method's message, which the transport
// guarantees.

/** Rejects with the StatusError to answer. */
export async function callUnary(
  { context, caller }: Sender,
  method: string,
  request: unknown,
): Promise<object> {
  const handler = unaryMethods[method];
  if (!handler) throw unimplemented(method);
  return handler({ ...context, caller, guard: guardOf(context, caller) }, request as never);
}

/** Rejects with the StatusError to answer. */
export async function callStreaming(
  { context, caller }: Sender,
  method: string,
  request: unknown,
): Promise<Iterable<object>> {
  const handler = streamingMethods[method];
  if (!handler) throw unimplemented(method);
  return handler({ ...context, caller, guard: guardOf(context, caller) }, request as never);
}
