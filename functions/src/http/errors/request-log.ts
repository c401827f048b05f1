import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { write } from 'firebase-functions/logger';
import { describeError } from '../../common/log.ts';
import type { Refusal } from '../../refusals.ts';

/** Gives every request an id. The answer and every log line of the request have it. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.set('X-Request-Id', randomUUID());
  next();
};

/**
 * Logs a refused request: a fault of the service as an error with its stack, any other refusal as one short line. Query
 * and headers are left out, because they may contain secrets.
 *
 * @param refusal the answer
 * @param thrown the error that led to it
 */
export function logRefusal(request: Request, response: Response, refusal: Refusal, thrown: unknown): void {
  const { status, code, cause } = refusal;
  const isServerError = status >= 500;
  write({
    severity: isServerError ? 'ERROR' : 'INFO',
    message: isServerError ? describeError(thrown) : `${status} ${code}`,
    requestId: response.get('X-Request-Id'),
    method: request.method,
    path: request.baseUrl + request.path,
    status,
    code,
    ...(isServerError && cause !== undefined && { cause: describeError(cause) }),
  });
}
