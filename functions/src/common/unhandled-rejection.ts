/** Lets a promise be awaited later, whose `await` throws its error. Without this, Node reports the error before. */
export function withoutUnhandledRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
