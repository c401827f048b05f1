/** For a promise that is awaited later. Without this, Node reports an unhandled rejection before the `await`. */
export function withoutUnhandledRejection<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
