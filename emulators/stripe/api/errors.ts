/** Fields of the `error` object that Stripe answers with; https://docs.stripe.com/api/errors. */
interface ErrorFields {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'rate_limit_error' | 'card_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
}

/** An error that is answered as it is: an HTTP status and Stripe's `{ error: {…} }` body. */
export class ApiError extends Error {
  readonly status: number;
  readonly fields: ErrorFields;

  constructor(status: number, fields: ErrorFields) {
    super(fields.message);
    this.name = 'ApiError';
    this.status = status;
    this.fields = fields;
  }

  /** The body, without the request id that the pipeline adds. */
  get body(): { error: ErrorFields & { doc_url?: string } } {
    const { code } = this.fields;
    const docs = code ? { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` } : {};
    return { error: { ...this.fields, ...docs } };
  }
}

/** The parameters failed validation: nothing was executed, so an idempotency key is not used up. */
export class InvalidParameter extends ApiError {
  constructor(message: string, param?: string, code?: string) {
    super(400, { type: 'invalid_request_error', message, ...(code && { code }), ...(param && { param }) });
    this.name = 'InvalidParameter';
  }
}

export function unknownParameters(names: string[]): InvalidParameter {
  const noun = names.length > 1 ? 'parameters' : 'parameter';
  return new InvalidParameter(`Received unknown ${noun}: ${names.join(', ')}`, names[0], 'parameter_unknown');
}

export function missingParameter(name: string): InvalidParameter {
  return new InvalidParameter(`Missing required param: ${name}.`, name, 'parameter_missing');
}

/** Stripe knows this parameter and the local Stripe does not: refused, never ignored. */
export function unsupportedParameter(name: string): InvalidParameter {
  return new InvalidParameter(`The local Stripe does not support ${name}.`, name, 'emulator_unsupported');
}

/** The object that the URL names does not exist. */
export function noSuchObject(noun: string, id: string): ApiError {
  return missingObject(404, noun, id, 'id');
}

/** The object that a parameter names does not exist; Stripe answers 400 then, and 404 only for the URL. */
export function noSuchReference(noun: string, id: string, param: string): ApiError {
  return missingObject(400, noun, id, param);
}

function missingObject(status: number, noun: string, id: string, param: string): ApiError {
  const message = `No such ${noun}: '${id}'`;
  return new ApiError(status, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

/** The request is well-formed, but the object's state does not allow it. */
export function notAllowed(message: string, code?: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...(code && { code }) });
}

/** The bank declined the card. */
export function cardError(failure: { code: string; decline_code?: string; message: string }): ApiError {
  return new ApiError(402, { type: 'card_error', ...failure });
}

/** An invoice was not paid: by the bank's answer, or because there is no card. */
export function paymentError(failure: { code: string; decline_code?: string; message: string }): ApiError {
  return failure.code === 'resource_missing' ? notAllowed(failure.message, failure.code) : cardError(failure);
}

export function noApiKey(): ApiError {
  const message =
    "You did not provide an API key. Send it in the Authorization header: 'Authorization: Bearer YOUR_SECRET_KEY'.";
  return new ApiError(401, { type: 'invalid_request_error', message });
}

export function wrongApiKey(key: string): ApiError {
  const message = `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`;
  return new ApiError(401, { type: 'invalid_request_error', message });
}

export function unrecognizedUrl(method: string, path: string): ApiError {
  const message = `Unrecognized request URL (${method}: ${path}).`;
  return new ApiError(404, { type: 'invalid_request_error', message });
}

/** Stripe has this route and the local Stripe does not. */
export function unsupportedRoute(method: string, path: string): ApiError {
  return notAllowed(`The local Stripe does not support ${method} ${path}.`, 'emulator_unsupported');
}

export function idempotencyMismatch(key: string): ApiError {
  const message = `Idempotency key '${key}' was first used with other parameters; use another key for another request.`;
  return new ApiError(400, { type: 'idempotency_error', message });
}

export function idempotencyInProgress(key: string): ApiError {
  const message = `Another request with idempotency key '${key}' is still in progress.`;
  return new ApiError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
}

export function internalError(): ApiError {
  return new ApiError(500, {
    type: 'api_error',
    message: 'The local Stripe failed; its log has the reason.',
  });
}
