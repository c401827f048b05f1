import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../../scripts/paths.ts';
import { startNode, type NodeProcess } from './node-process.ts';

const FRAMEWORK = join(ROOT, 'node_modules/@google-cloud/functions-framework/build/src/main.js');

export interface ServedFunction extends NodeProcess {
  readonly origin: string;
}

/** Serves the function `api` of a folder under Google's Functions Framework, as Cloud Functions does. */
export async function serveFunction(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<ServedFunction> {
  const port = await freePort();
  const served = await startNode({
    args: [FRAMEWORK, `--source=${folder}`, '--target=api', `--port=${port}`],
    cwd: folder,
    env: { ...env, FUNCTION_TARGET: 'api' },
    ready: /^Serving function/,
  });
  return { ...served, origin: `http://127.0.0.1:${port}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
