import { status } from '@grpc/grpc-js';
import type { StatusError } from '../errors.ts';

/** https://cloud.google.com/apis/design/errors#handling_errors */
const HTTP_STATUS: Readonly<Record<status, number>> = {
  [status.OK]: 200,
  [status.CANCELLED]: 499,
  [status.UNKNOWN]: 500,
  [status.INVALID_ARGUMENT]: 400,
  [status.DEADLINE_EXCEEDED]: 504,
  [status.NOT_FOUND]: 404,
  [status.ALREADY_EXISTS]: 409,
  [status.PERMISSION_DENIED]: 403,
  [status.RESOURCE_EXHAUSTED]: 429,
  [status.FAILED_PRECONDITION]: 400,
  [status.ABORTED]: 409,
  [status.OUT_OF_RANGE]: 400,
  [status.UNIMPLEMENTED]: 501,
  [status.INTERNAL]: 500,
  [status.UNAVAILABLE]: 503,
  [status.DATA_LOSS]: 500,
  [status.UNAUTHENTICATED]: 401,
};

export interface ErrorBody {
  readonly error: { readonly code: number; readonly message: string; readonly status: string };
}

/** An error as Google's JSON APIs answer it; `code` is also the response's HTTP status. */
export const errorBody = ({ code, message }: StatusError): ErrorBody => ({
  error: { code: HTTP_STATUS[code], message, status: status[code] },
});
