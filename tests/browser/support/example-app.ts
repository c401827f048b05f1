import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build, type Rolldown } from 'vite';

export interface ExampleServer extends AsyncDisposable {
  /** The origin of the example. */
  origin: string;
  /**
   * Bundles an example. Every path without a file of the bundle answers with its index.html.
   *
   * @param define what replaces an expression of the source, such as `import.meta.env.VITE_HEARTH_URL`
   */
  bundle: (configFile: string, define: Readonly<Record<string, string>>) => Promise<void>;
}

/**
 * Listens first: the backend must know the origin of an example before it starts, and the example that of the backend.
 */
export async function serveExample(): Promise<ExampleServer> {
  const files = new Map<string, string | Uint8Array>();
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname.slice(1);
    const name = files.has(path) ? path : 'index.html';
    response.setHeader('Content-Type', name.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(files.get(name));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bundle: async (configFile, define) => {
      const texts = Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)]);
      const result = await build({
        configFile,
        logLevel: 'error',
        define: Object.fromEntries(texts) as Record<string, string>,
        build: { write: false, minify: false },
      });
      for (const output of (result as Rolldown.RolldownOutput).output) {
        files.set(output.fileName, output.type === 'chunk' ? output.code : output.source);
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
