/**
 * Marks a promise that is awaited later. Without this Node would report its rejection as unhandled, if it rejects
 * before, or if because of an earlier error nobody awaits it.
 */
export function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
