import { Server, type ServerOptions } from '@grpc/grpc-js';

/**
 * Node closes a connection whose client cancels more streams than this, in a burst and in each second. It does so
 * against clients that attack a server (CVE-2023-44487). The SDKs cancel a stream for each refused write, so tests of
 * security rules exceed Node's 1,000 and 33. A client whose connection is closed sends its write again, and the rules
 * then see an update.
 *
 * https://nodejs.org/api/http2.html#http2createserveroptions-onrequesthandler
 */
const ALLOWED_RESETS = { streamResetBurst: 1_000_000, streamResetRate: 1_000_000 };

/** A gRPC server for clients of this machine. */
export function createGrpcServer(options: ServerOptions): Server {
  const server = new Server(options);
  // grpc-js has no option for it. It makes its HTTP/2 server with these.
  const http2Options: unknown = Reflect.get(server, 'commonServerOptions');
  if (typeof http2Options !== 'object' || http2Options === null) {
    throw new Error('This version of @grpc/grpc-js keeps the options of its HTTP/2 server elsewhere.');
  }
  Object.assign(http2Options, ALLOWED_RESETS);
  return server;
}
