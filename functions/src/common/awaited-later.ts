/**
 * For a promise that the calling function awaits later. If it rejects before, Node does not report an unhandled
 * rejection. The later `await` still throws the error.
 */
export function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
