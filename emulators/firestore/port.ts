import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

const HTTP2_PREFACE = Buffer.from('PRI');

/** Takes over a connection, whose first bytes are still to be read. */
export type ConnectionHandler = (socket: Socket) => void;

/**
 * A server whose port speaks both protocols in clear text: a connection that starts with HTTP/2's preface goes to
 * `http2`, any other to `http1`. Not yet listening.
 */
export function createSharedPort(http2: ConnectionHandler, http1: ConnectionHandler): Server {
  return createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {
      socket.destroy();
    });
    socket.once('readable', () => {
      const start = socket.read() as Buffer | null;
      if (start === null) {
        socket.destroy();
        return;
      }
      socket.unshift(start);
      const isHttp2 = start.subarray(0, HTTP2_PREFACE.length).equals(HTTP2_PREFACE);
      (isHttp2 ? http2 : http1)(socket);
    });
  });
}
