import { DATABASE, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';

export interface RestServer extends TestServer {
  /** Calls a method such as `commit` on the database's root as an administrator, and returns its JSON. */
  readonly post: (method: string, body: object) => Promise<unknown>;
}

/** A server whose methods are called as JSON over HTTP. It ends with the test. */
export async function postForTest(): Promise<RestServer> {
  const served = await serveForTest();
  const { host, port } = served.server;
  return {
    ...served,
    post: async (method, body) => {
      const response = await fetch(`http://${host}:${port}/v1/${DATABASE}/documents:${method}`, {
        method: 'POST',
        headers: { authorization: 'Bearer owner' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as unknown;
    },
  };
}
