/**
 * Marks a promise that the caller awaits later. Without this Node would report its rejection as unhandled, if it rejects
 * before, or if an earlier error keeps the caller from awaiting it.
 */
export function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
