import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { write } from 'firebase-functions/logger';
import { Refusal } from '../refusals.ts';

/** Gives every request an id, for the answer and for all its log lines. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.set('X-Request-Id', randomUUID());
  next();
};

/** Logs a fault as an error with its stack, and a refusal in one short line. */
export function logError(request: Request, response: Response, known: Refusal, thrown: unknown): void {
  const fault = known.status >= 500;
  write({
    severity: fault ? 'ERROR' : 'INFO',
    message: fault ? describe(thrown) : `${known.status} ${known.code}`,
    requestId: response.get('X-Request-Id'),
    method: request.method,
    path: request.baseUrl + request.path,
    status: known.status,
    code: known.code,
    ...(fault && known.cause !== undefined && { cause: describe(known.cause) }),
  });
}

/** Logs a failure that no caller waits for, such as in a removal. */
export function logWarning(message: string, error: unknown): void {
  const cause = error instanceof Refusal ? (error.cause ?? error) : error;
  write({ severity: 'WARNING', message, cause: describe(cause) });
}

/** Logs a fault that an operator must repair, and that a retry does not repair. @param about names what it concerns */
export function logFault(message: string, about: Readonly<Record<string, string>>, error: unknown): void {
  write({ severity: 'ERROR', message, ...about, cause: describe(error) });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
