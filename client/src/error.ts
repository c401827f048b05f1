import type { ErrorCode } from './types.ts';

/** Error codes of this client, in addition to the codes of the API. */
export type ClientCode = 'unreachable' | 'unknown' | 'user_changed';

/**
 * A request that the backend refused or that did not reach it. The message is for people; programs look at `code`.
 * A call that its signal aborts throws the signal's reason instead.
 */
export class HearthError extends Error {
  /** HTTP status; 0 if no answer came, or if nothing was sent. */
  readonly status: number;
  readonly code: ErrorCode | ClientCode;
  /** Finds the failure in the backend's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait, if the backend names them. */
  readonly retryAfter: number | undefined;
  /** The problem of each wrong field of the request, by its name, to be shown beside the field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    message: string,
    details: {
      status: number;
      code: ErrorCode | ClientCode;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      fields?: Readonly<Record<string, string>>;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.name = 'HearthError';
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.fields = details.fields ?? {};
  }
}

/** True if the backend did not accept the credentials, or there were none. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof HearthError && error.status === 401;
}

export function unreachable(cause: unknown): HearthError {
  return new HearthError('The server cannot be reached. Check your connection and try again.', {
    status: 0,
    code: 'unreachable',
    cause,
  });
}

/** The codes with which Firebase's SDKs report that a token cannot be renewed without a network. */
const NETWORK_CODES: readonly unknown[] = ['auth/network-request-failed', 'appCheck/fetch-network-error'];

/** Whether a token is missing because there is no network. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NETWORK_CODES.includes(error.code);
}

/** The error in an answer. Uploads have no code, so their status decides. */
export function refusal(
  status: number,
  header: (name: string) => string | null,
  answer: unknown,
): HearthError {
  const seconds = Number(header('Retry-After') ?? Number.NaN);
  return new HearthError(
    textOf(answer, 'error') ?? 'Something went wrong on our side. Please try again later.',
    {
      status,
      code: textOf(answer, 'code') ?? CODE_OF_STATUS[status] ?? 'unknown',
      requestId: header('X-Request-Id') ?? undefined,
      retryAfter: Number.isFinite(seconds) ? seconds : undefined,
      fields: fieldsOf(answer),
    },
  );
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
};

function textOf(answer: unknown, key: 'code' | 'error'): string | undefined {
  if (typeof answer !== 'object' || answer === null || !(key in answer)) return undefined;
  const value: unknown = Reflect.get(answer, key);
  return typeof value === 'string' ? value : undefined;
}

function fieldsOf(answer: unknown): Record<string, string> {
  if (typeof answer !== 'object' || answer === null || !('fields' in answer)) return {};
  const entries = Object.entries(answer.fields ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
