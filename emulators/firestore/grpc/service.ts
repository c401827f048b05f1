import { Metadata } from '@grpc/grpc-js';
import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServiceDefinition,
  ServiceError,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { toStatusError } from '../errors.ts';
import { callStreaming, callUnary, openStream } from '../rpc/calls.ts';
import { requestContext } from '../rpc/context.ts';
import type { RequestContext, RpcContext } from '../rpc/context.ts';

/** Serves the RPC methods over gRPC. */
export function createService(
  definition: ServiceDefinition,
  context: RpcContext,
): UntypedServiceImplementation {
  const implementation: UntypedServiceImplementation = {};
  for (const [name, { requestStream, responseStream }] of Object.entries(definition)) {
    if (requestStream) implementation[name] = bidirectionalCall(context, name);
    else if (responseStream) implementation[name] = streamingCall(context, name);
    else implementation[name] = unaryCall(context, name);
  }
  return implementation;
}

function unaryCall(context: RpcContext, method: string): handleUnaryCall<unknown, object> {
  return ({ metadata, request }, callback) => {
    callUnary(contextOf(context, metadata), method, request).then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        callback(toServiceError(error));
      },
    );
  };
}

function streamingCall(context: RpcContext, method: string): handleServerStreamingCall<unknown, object> {
  return (call) => {
    sendHeaders(call);
    callStreaming(contextOf(context, call.metadata), method, call.request).then(
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

function bidirectionalCall(context: RpcContext, method: string): handleBidiStreamingCall<unknown, object> {
  return (call) => {
    sendHeaders(call);
    const stream = openStream(contextOf(context, call.metadata), method, {
      send: (message) => {
        call.write(message);
      },
      end: () => {
        call.end();
      },
      fail: (error) => {
        call.emit('error', toServiceError(error));
      },
    });
    call.on('data', (message: unknown) => {
      stream.receive(message);
    });
    call.on('end', () => {
      stream.end();
    });
    call.on('cancelled', () => {
      stream.cancel();
    });
  };
}

/** The client library takes an error before any header for a failed connection and retries it for seconds. */
function sendHeaders(call: { sendMetadata(metadata: Metadata): void }): void {
  call.sendMetadata(new Metadata());
}

const contextOf = (context: RpcContext, metadata: Metadata): RequestContext =>
  requestContext(context, (name) => metadata.get(name)[0]?.toString());

function toServiceError(error: unknown): Partial<ServiceError> {
  const { code, message } = toStatusError(error);
  return { code, details: message };
}
