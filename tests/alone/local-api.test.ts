import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AGAIN, API_READY } from '../../scripts/local-api/ready.ts';
import { ROOT } from '../../scripts/paths.ts';
import { createProcesses } from '../../scripts/processes.ts';

/** The processes that the functions emulator starts for `api`, and the one server behind them. */
let folder: string;
let socket: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-local-api-'));
  socket = join(folder, 'api.sock');
});
afterAll(() => rm(folder, { recursive: true }));

/** A function that answers with its process, the method, the path and the body. */
const FUNCTION = `export const api = (request, response) => {
  response.json({ pid: process.pid, method: request.method, path: request.url, body: request.body });
};`;

async function startServer(source = FUNCTION) {
  const file = join(folder, 'index.mjs');
  await writeFile(file, source);
  const processes = createProcesses({}, () => undefined);
  onTestFinished(() => processes.stop());
  const args = [join(ROOT, 'scripts/local-api/server.ts'), file, socket];
  const server = processes.keep('API', { args, cwd: folder, readyLine: API_READY, againArg: AGAIN });
  const failed = processes.failed.then((error) => {
    throw error;
  });
  failed.catch(() => undefined);
  await Promise.race([server.ready, failed]);
  return { restart: server.restart, failed };
}

/** The processes of the emulator, by their sockets. */
const relays = new Map<string, ChildProcess>();

async function endOf(relay: string): Promise<void> {
  await once(relays.get(relay) as ChildProcess, 'exit');
}

/** Starts a process as the functions emulator does, with a program that would fail. @returns its socket */
async function startRelay(name: string): Promise<string> {
  const own = join(folder, `${name}.sock`);
  const emulated = join(folder, 'functionsEmulatorRuntime.js');
  await writeFile(emulated, 'throw new Error("The program of the emulator was loaded");');
  const relay = spawn(
    process.execPath,
    ['--require', join(ROOT, 'scripts/local-api/relay.cjs'), emulated.replace('.js', '')],
    {
      env: { HEARTH_API_SOCKET: socket, FUNCTION_TARGET: 'api', PORT: own },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  onTestFinished(() => void relay.kill());
  relays.set(own, relay);
  // The emulator asks for its health until it answers, and does not read the answer.
  while (!(await isUp(own))) await setTimeout(20);
  return own;
}

function isUp(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/__/health' }, () => {
      resolve(true);
    });
    asked.once('error', () => {
      resolve(false);
    });
    asked.end();
  });
}

/** The answer to a request over a Unix socket. */
function ask(socketPath: string, method: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const asked = request({ socketPath, method, path, headers }, (response) => {
      text(response).then(resolve, reject);
    });
    asked.once('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const answerOf = async (...asked: Parameters<typeof ask>) =>
  JSON.parse(await ask(...asked)) as { pid: number; method: string; path: string; body: unknown };

test('requests to several processes of the emulator are answered by one server', async () => {
  await startServer();
  const relays = await Promise.all(['a', 'b', 'c'].map(startRelay));
  const answers = await Promise.all(
    relays.flatMap((relay) => [answerOf(relay, 'GET', '/x?y=1'), answerOf(relay, 'GET', '/x?y=1')]),
  );
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(answers[0]).toMatchObject({ method: 'GET', path: '/x?y=1' });
});

test('a request with a body that arrives while the server starts anew waits for it', async () => {
  const server = await startServer();
  const relay = await startRelay('waiting');
  const before = await answerOf(relay, 'POST', '/', { n: 1 });
  await writeFile(join(folder, 'index.mjs'), FUNCTION.replace('pid: ', 'changed: true, pid: '));
  await server.restart();
  const after = await Promise.race([answerOf(relay, 'POST', '/', { n: 2 }), server.failed]);
  expect(after).toMatchObject({ changed: true, method: 'POST', body: { n: 2 } });
  expect(after.pid).not.toBe(before.pid);
});

test('idle processes end, apart from the oldest one, and their ports are still answered', async () => {
  await startServer();
  const oldest = await startRelay('oldest');
  const others = [await startRelay('second'), await startRelay('third')];
  const ended = others.map((relay) => endOf(relay));
  for (const relay of [oldest, ...others]) await answerOf(relay, 'GET', '/');
  await Promise.all(ended);
  for (const relay of [oldest, ...others])
    expect(await answerOf(relay, 'POST', '/later', { n: 1 })).toMatchObject({
      path: '/later',
      body: { n: 1 },
    });
  expect(relays.get(oldest)?.exitCode).toBeNull();
  expect(relays.get(oldest)?.signalCode).toBeNull();
});

test('a server that was killed is started again', async () => {
  const server = await startServer();
  const relay = await startRelay('killed');
  const { pid } = await answerOf(relay, 'GET', '/');
  process.kill(pid, 'SIGKILL');
  // A request that has reached the killed server fails.
  const answerOfAnother = async (): Promise<number> => {
    const answer = await answerOf(relay, 'GET', '/').catch(() => undefined);
    return answer === undefined || answer.pid === pid ? answerOfAnother() : answer.pid;
  };
  expect(await Promise.race([answerOfAnother(), server.failed])).not.toBe(pid);
});

test('the first start ends with the reason when the code cannot be loaded', async () => {
  await expect(startServer('throw new Error("APP_URL: is not set");')).rejects.toThrow('APP_URL: is not set');
});

test('code that cannot be loaded after a change is answered with the reason', async () => {
  const { restart } = await startServer();
  const relay = await startRelay('broken');
  await writeFile(join(folder, 'index.mjs'), 'throw new Error("APP_URL: is not set");');
  await restart();
  expect(await ask(relay, 'GET', '/')).toContain('The functions cannot be loaded.\nAPP_URL: is not set');
});

test('processes of other functions run the program of the emulator', async () => {
  const emulated = join(folder, 'functionsEmulatorRuntime.js');
  await writeFile(emulated, "console.log('The program of the emulator was loaded');");
  const started = spawn(
    process.execPath,
    ['--require', join(ROOT, 'scripts/local-api/relay.cjs'), emulated.replace('.js', '')],
    { env: { HEARTH_API_SOCKET: socket, FUNCTION_TARGET: 'syncSeats' } },
  );
  for await (const line of createInterface({ input: started.stdout }))
    expect(line).toBe('The program of the emulator was loaded');
});
