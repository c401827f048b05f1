import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { FUNCTIONS, ROOT } from '../../scripts/paths.ts';
import { isPortFree } from '../../scripts/ports.ts';
import { DEMO_PEOPLE } from '../../scripts/seed/demo-people.ts';

/** Another project than that of the stack which the other tests use, and at the same time. */
const PROJECT = 'demo-hearth-start';

const START = join(ROOT, 'scripts/start.ts');

describe('npm start', () => {
  test('serves the app with its people beside another stack, and Ctrl-C leaves no port open and no process behind', async () => {
    const mark = randomUUID();
    // Without a build, because the other stack is serving the existing build.
    const args = [START, '--free-ports', '--project', PROJECT, '--no-build'];
    const start = spawn(process.execPath, args, { env: { ...process.env, HEARTH_TEST_MARK: mark } });
    onTestFinished(() => void start.kill('SIGINT'));
    const { output, table } = await readTable(start);
    expect(output[1]).toMatch(
      /^Settings: .*functions\/\.env\.demo-hearth, .*STRIPE_API_URL follow the ports$/,
    );
    const { configFile, ports } = configurationOf(table['App'] ?? '');

    expect((await fetch(`${table['App'] ?? ''}/api/health`)).status).toBe(200);
    expect((await fetch(`${table['Inbox (all mail)'] ?? ''}/api/messages`)).status).toBe(200);
    // An open page detects a new build by this time.
    expect((await fetch(table['App'] ?? '', { method: 'HEAD' })).headers.get('last-modified')).not.toBeNull();
    const { headers } = await fetch(`${table['App'] ?? ''}/favicon.svg`, { method: 'HEAD' });
    expect(JSON.parse(headers.get('x-local-banner') ?? '')).toEqual({
      people: DEMO_PEOPLE.map(({ email, password }) => ({ email, password })),
      isWatched: false,
      inbox: table['Inbox (all mail)']?.replace('127.0.0.1', 'localhost'),
      data: table['Data']?.replace('127.0.0.1', 'localhost'),
    });
    for (const { email, password } of DEMO_PEOPLE) {
      expect(output.find((line) => line.startsWith(`  ${email} `))).toContain(` ${password} `);
      expect(await signIn(table['Auth'] ?? '', { email, password })).toBe(200);
    }
    for (const url of Object.values(table))
      expect(await isPortFree(Number(new URL(url).port)), url).toBe(false);
    expect(table['Firestore']).not.toBe(inject('stack').urls.firestore);

    const exited = once(start, 'exit');
    start.kill('SIGINT');

    expect(await exited).toEqual([0, null]);
    expect(await Promise.all(ports.map(isPortFree))).not.toContain(false);
    expect(processesMarked(mark)).toEqual([]);
    expect(existsSync(configFile)).toBe(false);
  });

  test('names every wrong setting and starts nothing', async () => {
    const file = join(FUNCTIONS, `.env.${PROJECT}-settings`);
    writeFileSync(file, 'SESSION_DAYS=99\nTEAM_LIMIT=none\n');
    const start = spawn(process.execPath, [START, '--project', `${PROJECT}-settings`]);
    onTestFinished(() => {
      start.kill('SIGINT');
      rmSync(file);
    });
    const [stderr, exit] = await Promise.all([text(start.stderr), once(start, 'exit')]);

    expect(exit).toEqual([1, null]);
    expect(stderr).toMatch(/^ {2}SESSION_DAYS: .*\n[^]*^ {2}TEAM_LIMIT: /m);
  });

  test('prints a port in use in one line and starts nothing', async () => {
    const server = createServer().listen({ port: 9099, host: '127.0.0.1' });
    // Should someone else hold it already, then it is in use just as well.
    await once(server, 'listening').catch(() => undefined);

    onTestFinished(() => void server.close());
    const start = spawn(process.execPath, [START]);
    onTestFinished(() => void start.kill('SIGINT'));
    const [stderr, exit] = await Promise.all([text(start.stderr), once(start, 'exit')]);

    expect(exit).toEqual([1, null]);
    expect(stderr).toMatch(/^Ports? .*\b9099 \(Auth\).* in use\. .*\n$/);
  });
});

/** Signs in at the Auth emulator. @returns the status */
async function signIn(auth: string, credentials: { email: string; password: string }): Promise<number> {
  const url = `${auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`;
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(credentials) })).status;
}

/** The output until it is ready, and the URLs in that by their labels. */
async function readTable({
  stdout,
  stderr,
}: ChildProcessWithoutNullStreams): Promise<{ output: string[]; table: Record<string, string> }> {
  const output: string[] = [];
  stderr.on('data', (chunk) => output.push(String(chunk)));
  for await (const line of createInterface({ input: stdout })) {
    output.push(line);
    if (line.startsWith('Ready in')) break;
  }
  if (stdout.readableEnded) throw new Error(`It ended early:\n${output.join('\n')}`);
  stdout.resume();
  const rows = output.flatMap((line) => [...line.matchAll(/^ {2}(\S.*?) +(http\S+)$/g)]);
  return { output, table: Object.fromEntries(rows.map(([, label = '', url = '']) => [label, url])) };
}

/** The configuration file of the stack that serves the app at this URL, and every port in it. */
function configurationOf(appUrl: string): { configFile: string; ports: number[] } {
  const appPort = Number(new URL(appUrl).port);
  for (const name of readdirSync(ROOT).filter((file) => /^firebase\..+\.json$/.test(file))) {
    const configFile = join(ROOT, name);
    const config = JSON.parse(readFileSync(configFile, 'utf8')) as {
      emulators: Record<string, { enabled?: boolean; port?: number; websocketPort?: number }>;
    };
    const used = Object.values(config.emulators).filter(({ enabled }) => enabled !== false);
    const ports = used.flatMap(({ port, websocketPort }) => [port, websocketPort]);
    if (ports.includes(appPort)) return { configFile, ports: ports.filter((port) => port !== undefined) };
  }
  throw new Error(`No configuration file has the port of ${appUrl}`);
}

/** The processes that run with this mark in their environment; only Linux shows that. */
function processesMarked(mark: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}
