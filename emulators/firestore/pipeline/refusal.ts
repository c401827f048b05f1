import { status } from '@grpc/grpc-js';
import { StatusError } from '../errors.ts';

/** For a stage or function that belongs to the Enterprise edition alone or that this server does not know. */
export const notServed = (what: string): StatusError =>
  new StatusError(
    status.UNIMPLEMENTED,
    `${what} of a pipeline is not implemented in this emulator. Databases of the Enterprise edition are not emulated.`,
  );
