import { connect, constants, createServer } from 'node:http2';
import type {
  ClientHttp2Session,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Admission } from './admission.ts';
import type { Proxy } from './http-proxy.ts';

/** https://grpc.io/docs/guides/status-codes/ */
const RESOURCE_EXHAUSTED = '8';
const UNAVAILABLE = '14';

/**
 * Node closes a connection whose client cancels many streams (more than 1,000, or 33 a second), as an attacker does.
 * Clients of this machine are none: the SDKs cancel a stream for each refused write and each listener that ends.
 *
 * https://nodejs.org/api/http2.html#http2createserveroptions-onrequesthandler
 */
const ALLOWED_RESETS = { streamResetBurst: 1_000_000, streamResetRate: 1_000_000 };

/**
 * Passes gRPC calls on to an emulator. A call over the quota ends with RESOURCE_EXHAUSTED.
 *
 * @param target host and port of the emulator
 * @param admit receives the name of the method, such as `RunQuery`
 * @param losesAnswer receives the method of a call that has passed. If true, the emulator answers, but the client
 *   gets UNAVAILABLE, as after a lost connection
 */
export async function startGrpcProxy(
  target: string,
  admit: Admission,
  losesAnswer: (method: string) => boolean = () => false,
): Promise<Proxy> {
  let upstream: ClientHttp2Session | undefined;
  /** The connection to the emulator, which may start later than this proxy. */
  const connected = () => {
    if (upstream === undefined || upstream.closed || upstream.destroyed) {
      upstream = connect(`http://${target}`);
      // Each call has an error of its own.
      upstream.on('error', () => undefined);
    }
    return upstream;
  };
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(ALLOWED_RESETS);
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const method = headers[':path']?.split('/').at(-1) ?? '';
    void admit(method).then((isAdmitted) => {
      if (stream.destroyed) return;
      if (!isAdmitted) stream.respond(failure(RESOURCE_EXHAUSTED, 'Quota exceeded.'), { endStream: true });
      else if (losesAnswer(method)) passAndLose(connected(), stream, headers);
      else pass(connected(), stream, headers);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => {
      for (const session of sessions) session.destroy();
      upstream?.destroy();
      return new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
    },
  };
}

function failure(status: string, message: string): OutgoingHttpHeaders {
  return {
    ':status': 200,
    'content-type': 'application/grpc',
    'grpc-status': status,
    'grpc-message': message,
  };
}

/** Passes a call on, and answers it with UNAVAILABLE after the emulator has answered. */
function passAndLose(
  upstream: ClientHttp2Session,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const onward = upstream.request(headers, { endStream: false });
  onward.on('error', () => undefined);
  onward.on('close', () => {
    if (!stream.destroyed)
      stream.respond(failure(UNAVAILABLE, 'The connection was lost.'), { endStream: true });
  });
  onward.resume();
  stream.pipe(onward);
}

function pass(upstream: ClientHttp2Session, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const onward = upstream.request(headers, { endStream: false });
  let trailers: OutgoingHttpHeaders = {};
  onward.on('response', (answer, flags) => {
    const isOver = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    if (!stream.destroyed) stream.respond(answer, isOver ? { endStream: true } : { waitForTrailers: true });
  });
  onward.on('trailers', (received: OutgoingHttpHeaders) => {
    trailers = received;
  });
  stream.on('wantTrailers', () => {
    stream.sendTrailers(trailers);
  });
  stream.on('aborted', () => {
    onward.close(constants.NGHTTP2_CANCEL);
  });
  onward.on('error', () => {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  stream.pipe(onward);
  onward.pipe(stream);
}
