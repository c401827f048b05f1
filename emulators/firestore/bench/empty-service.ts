import type { MethodDefinition } from '@grpc/grpc-js';

const identity = (bytes: Buffer): Buffer => bytes;

const Call: MethodDefinition<Buffer, Buffer> = {
  path: '/bench.Empty/Call',
  requestStream: false,
  responseStream: false,
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
};

export const EMPTY_SERVICE = { Call };
