import { write } from 'firebase-functions/logger';
import { Refusal } from '../refusals.ts';

/** Logs a failure that the next run repairs, such as a clean-up that did not work. */
export function logWarning(message: string, error: unknown): void {
  const cause = error instanceof Refusal ? (error.cause ?? error) : error;
  write({ severity: 'WARNING', message, cause: describeError(cause) });
}

/**
 * Logs a fault that an operator must repair, because repeating the work does not help.
 *
 * @param concerned ids of what it concerns
 */
export function logFault(message: string, concerned: Readonly<Record<string, string>>, error: unknown): void {
  write({ severity: 'ERROR', message, ...concerned, cause: describeError(error) });
}

/** The stack of an error, or the text of any other value. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
