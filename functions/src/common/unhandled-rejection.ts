/**
 * Keeps Node from reporting an unhandled rejection of a promise that is awaited later. Without this, Node reports one
 * if the promise rejects before the `await`, or if an earlier error prevents the `await`.
 */
export function withoutUnhandledRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
