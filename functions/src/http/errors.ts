/**
 * A refusal that the caller may see: a true HTTP status, a stable code for programs and a sentence for people.
 * Anything else that is thrown is a fault of ours and answers 500 without a word on what it was.
 */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(message, options);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

export const badRequest = (message: string, code = 'invalid_request') => new HttpError(400, code, message);

export const unauthenticated = (message = 'Sign in first.', cause?: unknown) =>
  new HttpError(401, 'unauthenticated', message, { cause, headers: { 'WWW-Authenticate': 'Bearer' } });

export const forbidden = (message: string, code = 'forbidden') => new HttpError(403, code, message);

export const notFound = (message = 'There is nothing at this address.', code = 'not_found') =>
  new HttpError(404, code, message);

export const methodNotAllowed = (allowed: string) =>
  new HttpError(405, 'method_not_allowed', `This address answers ${allowed} only.`, {
    headers: { Allow: allowed },
  });

export const conflict = (message: string, code: string) => new HttpError(409, code, message);

export const gone = (message: string, code: string) => new HttpError(410, code, message);

export const payloadTooLarge = (message: string) => new HttpError(413, 'payload_too_large', message);

export const unsupportedMediaType = (message: string) =>
  new HttpError(415, 'unsupported_media_type', message);

/** @param seconds until the next request is let through */
export const tooManyRequests = (
  seconds: number,
  code = 'too_many_requests',
  message = 'Too many requests. Please wait a little.',
) =>
  new HttpError(429, code, message, {
    headers: { 'Retry-After': String(Math.max(seconds, 1)) },
  });

/** Something that we depend on does not answer; the same request may succeed later. */
export const unavailable = (message: string, code: string, cause?: unknown) =>
  new HttpError(503, code, message, { cause, headers: { 'Retry-After': '5' } });
