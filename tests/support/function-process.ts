import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { bundle } from '../../functions/bundling/bundle.ts';
import { lazy } from '../../functions/src/common/lazy.ts';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';
import { CACHE, ROOT } from '../../scripts/paths.ts';

const FRAMEWORK = 'node_modules/@google-cloud/functions-framework/build/src/main.js';

export interface FunctionProcess extends AsyncDisposable {
  /** Where it listens. */
  url: string;
  /** The most memory that the process has had so far, in MB. Linux only. */
  peakMemory: () => Promise<number>;
}

export interface FunctionOptions {
  /** Settings that differ from functions/src/testing/settings.ts. */
  settings?: Readonly<Record<string, string>>;
  /** The function to serve; `api` by default. */
  target?: string;
  /** A folder with the installed package of the functions, which is served with its own framework. */
  folder?: string;
}

/**
 * Builds the function as for a deployment, and serves it in a process of its own under Google's Functions Framework, as
 * Cloud Functions does. The functions emulator is not involved, so its CORS headers are missing. Firestore, Auth and
 * Storage are the emulators of the running stack.
 *
 * @example await using api = await serveFunction({ settings: { UPLOAD_REQUIRES_AUTH: 'false' } });
 */
export async function serveFunction({
  settings = {},
  target = 'api',
  folder,
}: FunctionOptions = {}): Promise<FunctionProcess> {
  const [source, port] = await Promise.all([folder ?? built(), freePort()]);
  const cwd = folder ?? ROOT;
  const args = [join(cwd, FRAMEWORK), `--source=${source}`, `--target=${target}`, `--port=${port}`];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...environment(), ...TEST_SETTINGS, ...settings, FUNCTION_TARGET: target },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  await started(child);
  return {
    url: `http://127.0.0.1:${port}`,
    peakMemory: async () => {
      const status = await readFile(`/proc/${child.pid ?? 0}/status`, 'utf8');
      return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A folder with the deployed files, made once for each test file. */
const built = lazy(async () => {
  const folder = join(CACHE, 'function', String(process.pid));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  await mkdir(folder, { recursive: true });
  await build({ ...bundle, outdir: join(folder, 'lib') });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', main: 'lib/index.js' }));
  return folder;
});

function environment(): Record<string, string> {
  const { env, projectId } = inject('stack');
  return {
    ...env,
    PATH: process.env['PATH'] ?? '',
    // Without this the SDK looks for credentials at an address that only Google's machines have.
    METADATA_SERVER_DETECTION: 'none',
    FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket: `${projectId}.firebasestorage.app` }),
  };
}

/** @throws Error with the output of the process, if it ends instead of serving */
async function started(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(String(chunk)));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('Serving function')) {
      child.stdout.resume();
      return;
    }
    output.push(line);
  }
  throw new Error(`The function did not start:\n${output.join('\n')}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
