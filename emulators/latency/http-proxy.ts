import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Admission } from './admission.ts';

/** A proxy in front of an emulator. */
export interface Proxy extends AsyncDisposable {
  /** Where it listens, as host and port. */
  readonly host: string;
}

/**
 * Passes HTTP requests on to an emulator. A request over the quota is answered with 429.
 *
 * @param target host and port of the emulator
 * @param tooMany the body of such an answer
 */
export async function startHttpProxy(target: string, admit: Admission, tooMany: object): Promise<Proxy> {
  const [hostname, port] = target.split(':');
  const agent = new Agent({ keepAlive: true });
  const pass = (asked: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = asked;
    const onward = request({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  };
  const server = createServer((asked, response) => {
    void admit(`${asked.method ?? ''} ${asked.url ?? ''}`).then((isAdmitted) => {
      if (isAdmitted) pass(asked, response);
      else response.writeHead(429, { 'Content-Type': 'application/json' }).end(JSON.stringify(tooMany));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => {
      agent.destroy();
      server.closeAllConnections();
      return new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
    },
  };
}
