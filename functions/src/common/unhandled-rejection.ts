/**
 * For a promise that is awaited later. If the promise rejects before that, or if an earlier error prevents the `await`,
 * Node would report an unhandled rejection. Changes nothing else.
 */
export function withoutUnhandledRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
