import { status } from '@grpc/grpc-js';

/** A failure that is answered to the client with a canonical gRPC status code (google.rpc.Code). */
export class StatusError extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
  }
}

export const invalidArgument = (message: string): StatusError =>
  new StatusError(status.INVALID_ARGUMENT, message);
export const failedPrecondition = (message: string): StatusError =>
  new StatusError(status.FAILED_PRECONDITION, message);
export const notFound = (message: string): StatusError => new StatusError(status.NOT_FOUND, message);
export const alreadyExists = (message: string): StatusError =>
  new StatusError(status.ALREADY_EXISTS, message);
export const aborted = (message: string): StatusError => new StatusError(status.ABORTED, message);
export const permissionDenied = (message: string): StatusError =>
  new StatusError(status.PERMISSION_DENIED, message);
export const unauthenticated = (message: string): StatusError =>
  new StatusError(status.UNAUTHENTICATED, message);
export const unimplemented = (what: string): StatusError =>
  new StatusError(status.UNIMPLEMENTED, `${what} is not implemented in this emulator.`);

/** For a transaction that was committed or rolled back. */
export const transactionEnded = (): StatusError =>
  aborted('The referenced transaction has expired or is no longer valid.');
/** For a token that no running or recent transaction has, and for one whose time was up. */
export const transactionExpired = (): StatusError =>
  invalidArgument('The referenced transaction has expired or is no longer valid.');
export const lockTimeout = (): StatusError => aborted('Transaction lock timeout.');
export const contention = (): StatusError =>
  aborted(
    'Aborted due to cross-transaction contention. This occurs when multiple transactions attempt to access the same ' +
      'data, requiring Firestore to abort at least one in order to enforce serializability.',
  );

/**
 * Any other error than a StatusError is a defect of this server: the client gets INTERNAL, and stderr gets the stack.
 */
export function toStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  console.error(error);
  return new StatusError(status.INTERNAL, 'Internal error in the Firestore emulator; see its log.');
}
