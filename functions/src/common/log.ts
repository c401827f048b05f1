import { write, type LogEntry } from 'firebase-functions/logger';
import { Refusal } from '../refusals/refusals.ts';
import { projectIdOf, processEnvironment } from '../settings/environment.ts';
import { activeSpan } from './span.ts';

/**
 * Writes a line of the log. The line belongs to the span under way. Without a span it belongs to the trace of the
 * request's headers.
 */
export function writeLog(entry: LogEntry): void {
  const span = activeSpan();
  if (span === undefined) {
    write(entry);
    return;
  }
  const trace = `projects/${projectIdOf(processEnvironment()) ?? ''}/traces/${span.traceId}`;
  write({
    ...entry,
    'logging.googleapis.com/spanId': span.spanId,
    get 'logging.googleapis.com/trace'() {
      return trace;
    },
    // The logger sets the trace of the request's headers. Two headers can name a trace, and the two may differ. This
    // setter ignores the logger's trace, so that the line keeps the trace of the span.
    set 'logging.googleapis.com/trace'(_other: string) {},
  });
}

/**
 * Logs a problem that does not stop the work, such as a damaged document, or a clean-up that the next run repeats.
 *
 * @param cause an error, or a text with the reason
 */
export function logWarning(message: string, cause: unknown): void {
  const deepest = cause instanceof Refusal ? (cause.cause ?? cause) : cause;
  writeLog({ severity: 'WARNING', message, cause: describeError(deepest) });
}

/**
 * Logs a fault that an operator must repair, because repeating the work does not help.
 *
 * @param concerned ids of the objects or documents concerned
 * @param cause an error, or a text: the reason, or the advice for the operator
 */
export function logFault(message: string, concerned: Readonly<Record<string, string>>, cause: unknown): void {
  writeLog({ severity: 'ERROR', message, ...concerned, cause: describeError(cause) });
}

/**
 * Does work that a schedule or an event has started. If it fails, logs the error with its stack, its code if it is a
 * refusal, and its cause. firebase-functions logs only the message for a schedule, and the stack without the cause for
 * an event.
 *
 * @throws every error of the work
 */
export async function logIfFailed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Refusal ? error.code : undefined;
    const cause = error instanceof Error ? error.cause : undefined;
    writeLog({
      severity: 'ERROR',
      message: describeError(error),
      ...(code !== undefined && { code }),
      ...(cause !== undefined && { cause: describeError(cause) }),
    });
    throw error;
  }
}

/** The stack of an error, or the text of any other value. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
