import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Metadata, status } from '@grpc/grpc-js';
import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServiceDefinition,
  ServiceError,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { authorize, callerOf } from '../authorize.ts';
import { StatusError, unimplemented } from '../errors.ts';
import type { RpcContext, StreamingHandler, UnaryHandler } from '../rpc/handler.ts';
import { streamingMethods, unaryMethods } from '../rpc/methods.ts';

/** The service as the installed client library defines it. */
export function loadServiceDefinition(): ServiceDefinition {
  const library = path.dirname(
    createRequire(import.meta.url).resolve('@google-cloud/firestore/package.json'),
  );
  const file = path.join(library, 'build', 'protos', 'v1.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof fromJSON>[0];
  const service = fromJSON(json, { longs: String, enums: String })['google.firestore.v1.Firestore'];
  if (!service || 'format' in service)
    throw new Error(`${file} does not define google.firestore.v1.Firestore.`);
  return service;
}

/** Serves the RPC methods over gRPC. */
export function createService(
  definition: ServiceDefinition,
  context: RpcContext,
): UntypedServiceImplementation {
  const implementation: UntypedServiceImplementation = {};
  for (const [name, { responseStream }] of Object.entries(definition)) {
    const unary = unaryMethods[name];
    const streaming = streamingMethods[name];
    if (unary) implementation[name] = unaryCall(context, unary);
    else if (streaming) implementation[name] = streamingCall(context, streaming);
    else implementation[name] = responseStream ? unimplementedStream(name) : unimplementedUnary(name);
  }
  return implementation;
}

function unaryCall(context: RpcContext, handler: UnaryHandler<never>): handleUnaryCall<unknown, object> {
  return (call, callback) => {
    answer(call.metadata, () => handler(context, call.request as never)).then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        callback(toServiceError(error));
      },
    );
  };
}

function streamingCall(
  context: RpcContext,
  handler: StreamingHandler<never>,
): handleServerStreamingCall<unknown, object> {
  return (call) => {
    // The client library takes an error before any header for a failed connection and retries it for seconds.
    call.sendMetadata(new Metadata());
    answer(call.metadata, () => handler(context, call.request as never)).then(
      (responses) => {
        for (const response of responses) call.write(response);
        call.end();
      },
      (error: unknown) => {
        call.emit('error', toServiceError(error));
      },
    );
  };
}

const unimplementedUnary =
  (name: string): handleUnaryCall<unknown, object> =>
  (_call, callback) => {
    callback(toServiceError(unimplemented(name)));
  };

const unimplementedStream =
  (name: string): handleBidiStreamingCall<unknown, object> =>
  (call) => {
    call.sendMetadata(new Metadata());
    call.emit('error', toServiceError(unimplemented(name)));
  };

async function answer<T>(metadata: Metadata, handle: () => Promise<T>): Promise<T> {
  authorize(callerOf(metadata.get('authorization')[0]?.toString()));
  return handle();
}

/** An error that is no StatusError is a defect of this server: the client gets INTERNAL, stderr the stack. */
function toServiceError(error: unknown): Partial<ServiceError> {
  if (error instanceof StatusError) return { code: error.code, details: error.message };
  console.error(error);
  return { code: status.INTERNAL, details: 'Internal error in the Firestore emulator; see its log.' };
}
