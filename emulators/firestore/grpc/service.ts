import { Metadata } from '@grpc/grpc-js';
import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServiceDefinition,
  ServiceError,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { callerOf } from '../authorize.ts';
import type { Caller } from '../authorize.ts';
import { toStatusError } from '../errors.ts';
import { callStreaming, callUnary } from '../rpc/dispatch.ts';
import type { RpcContext } from '../rpc/handler.ts';
import { openStream } from '../rpc/streams.ts';

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
    callUnary(labelled(context, metadata), sender(metadata), method, request).then(
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
    callStreaming(labelled(context, call.metadata), sender(call.metadata), method, call.request).then(
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
    const stream = openStream(labelled(context, call.metadata), sender(call.metadata), method, {
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

/** What a client sends along as `x-usage-label` tells its requests from others in the ledger. */
function labelled(context: RpcContext, metadata: Metadata): RpcContext {
  const label = metadata.get('x-usage-label')[0];
  return label === undefined ? context : { ...context, ledger: context.ledger.labelled(String(label)) };
}

const sender = (metadata: Metadata): Caller => callerOf(metadata.get('authorization')[0]?.toString());

function toServiceError(error: unknown): Partial<ServiceError> {
  const { code, message } = toStatusError(error);
  return { code, details: message };
}
