/**
 * React Native has abort signals of an older package, without `throwIfAborted` and `reason`.
 * https://github.com/facebook/react-native/issues/50015
 */

type Signal = AbortSignal | null | undefined;

/** The reason of an aborted signal; an `AbortError` if the signal has none. */
export function reasonOf(signal: Signal): Error {
  return (signal?.reason as Error | undefined) ?? abortError();
}

/** @throws the signal's reason if it is aborted */
export function throwIfAborted(signal: Signal): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

/** Waits for a promise. @throws the signal's reason if it is aborted meanwhile */
export async function untilAborted<T>(promise: Promise<T>, signal: Signal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      reject(reasonOf(signal));
    };
  });
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** React Native has no `DOMException` either. */
function abortError(): Error {
  const message = 'The call was aborted.';
  return typeof DOMException === 'undefined'
    ? Object.assign(new Error(message), { name: 'AbortError' })
    : new DOMException(message, 'AbortError');
}
