/** Work did not end in time. It continues, and may still take effect. */
export class TooLate extends Error {
  override readonly name = 'TooLate';

  constructor(limitMs: number) {
    super(`No answer within ${limitMs} ms.`);
  }
}

/**
 * Waits for work, at most `limitMs`. For calls to code of the app and to libraries that have no limit of their own. An
 * error of work that is too late is ignored.
 *
 * @throws TooLate after `limitMs`; otherwise the error of the work
 */
export async function withTimeLimit<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new TooLate(limitMs));
    }, limitMs);
  });
  try {
    // `race` handles both promises, so an error after it has settled is no unhandled rejection.
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
