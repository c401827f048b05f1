import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareEmulatorFiles } from './emulator-files.ts';

const require = createRequire(import.meta.url);

/** The Firebase CLI's own client of the runtime. */
interface RulesRuntime {
  start: () => Promise<void>;
  stop: () => Promise<void>;
  loadRuleset: (source: {
    files: { name: string; content: string }[];
  }) => Promise<{ ruleset?: Ruleset; issues: { all: string[] } }>;
}
interface Ruleset {
  rulesVersion: number;
  verify: (request: object) => Promise<{ permitted: boolean; issues: { all: string[] } }>;
}

const rules = (body: string) =>
  `rules_version = '2';\nservice firebase.storage { match /b/{bucket}/o {\n${body}\n} }`;

describe("the Firebase CLI's storage rules runtime", () => {
  let runtime: RulesRuntime;
  let firestore: Server;
  let reads: string[];
  const folder = mkdtempSync(join(tmpdir(), 'jars-'));

  beforeAll(async () => {
    process.env['FIREBASE_EMULATORS_PATH'] = prepareEmulatorFiles(folder);
    process.env['PATH'] = [import.meta.dirname, process.env['PATH']].join(delimiter);
    firestore = createServer((request, response) => {
      reads.push(request.url ?? '');
      response.statusCode = request.url?.endsWith('/teams/red') === true ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          name: 'projects/demo-x/databases/(default)/documents/teams/red',
          fields: {
            members: { arrayValue: { values: [{ stringValue: 'ada' }] } },
            seats: { integerValue: '3' },
          },
        }),
      );
    });
    await once(firestore.listen(0, '127.0.0.1'), 'listening');
    useFirestoreAt((firestore.address() as AddressInfo).port);
    const { StorageRulesRuntime } = require('firebase-tools/lib/emulator/storage/rules/runtime.js') as {
      StorageRulesRuntime: new () => RulesRuntime;
    };
    runtime = new StorageRulesRuntime();
    await runtime.start();
  });
  afterAll(async () => {
    await runtime.stop();
    firestore.close();
    rmSync(folder, { recursive: true });
  });

  /** The registry has the host and port of each emulator. This one has those of the test's own server. */
  function useFirestoreAt(port: number): void {
    const { EmulatorRegistry } = require('firebase-tools/lib/emulator/registry.js') as {
      EmulatorRegistry: { start: (instance: object) => Promise<void> };
    };
    const info = { name: 'firestore', host: '127.0.0.1', port };
    void EmulatorRegistry.start({
      getName: () => 'firestore',
      getInfo: () => info,
      start: () => Promise.resolve(),
      connect: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    });
  }

  async function load(content: string): Promise<Ruleset> {
    const { ruleset } = await runtime.loadRuleset({ files: [{ name: 'storage.rules', content }] });
    if (ruleset === undefined) throw new Error('The ruleset does not load');
    return ruleset;
  }

  const upload = (size: number) => ({
    method: 'create',
    path: 'b/bucket/o/users/ada/a.png',
    projectId: 'demo-x',
    file: { after: { name: 'users/ada/a.png', size, contentType: 'image/png', updated: new Date(0) } },
    token: unsigned({ user_id: 'ada', email_verified: true }),
  });

  test.each([
    ["rules_version = '2';\nservice firebase.storage {}", 2],
    ["rules_version='1';\nservice firebase.storage {}", 1],
    ["// rules_version = '2';\nservice firebase.storage {}", 1],
  ])('reads the version of %j as %i', async (content, version) => {
    expect((await load(content)).rulesVersion).toBe(version);
  });

  test('refuses a ruleset with the file and the line of its error', async () => {
    const content = "rules_version = '2';\nservice firebase.storage {{";

    const { ruleset, issues } = await runtime.loadRuleset({ files: [{ name: 'storage.rules', content }] });

    expect(ruleset).toBeUndefined();
    expect(issues.all.map((issue) => JSON.parse(issue) as unknown)).toEqual([
      {
        sourcePosition_: { fileName_: 'storage.rules', line_: 2, column_: 27 },
        severity_: 'ERROR',
        description_: "Unexpected '{'.",
      },
    ]);
  });

  test('evaluates an upload by its metadata and its user', async () => {
    const ruleset = await load(
      rules(`match /users/{uid}/{name} { allow create: if request.auth.uid == uid && request.auth.token.email_verified
        && request.resource.size < 100 && request.resource.contentType.matches('image/.*') && resource == null
        && request.resource.updated == timestamp.value(0) && request.time > timestamp.value(0); }`),
    );

    expect(await ruleset.verify(upload(99))).toMatchObject({ permitted: true, issues: { all: [] } });
    expect(await ruleset.verify(upload(100))).toMatchObject({ permitted: false, issues: { all: [] } });
    expect((await ruleset.verify({ ...upload(99), token: undefined })).permitted).toBe(false);
  });

  test('names the expression that could not be evaluated', async () => {
    const ruleset = await load(
      rules('match /{all=**} { allow get: if request.auth.uid == resource.owner; }'),
    );

    const verdict = await ruleset.verify({ ...upload(1), method: 'get', file: {}, token: undefined });

    expect(verdict).toMatchObject({
      permitted: false,
      issues: { all: ["Null value error. for 'get' @ L3"] },
    });
  });

  test('reads Firestore documents through the CLI, each once', async () => {
    reads = [];
    const team = 'firestore.get(/databases/(default)/documents/teams/red).data';
    const ruleset = await load(
      rules(`match /{all=**} { allow create: if request.auth.uid in ${team}.members && ${team}.seats == 3
        && !firestore.exists(/databases/(default)/documents/teams/blue); }`),
    );

    expect((await ruleset.verify(upload(1))).permitted).toBe(true);
    expect(reads).toEqual([
      '/v1/projects/demo-x/databases/(default)/documents/teams/red',
      '/v1/projects/demo-x/databases/(default)/documents/teams/blue',
    ]);
  });

  test('reads no more than two Firestore documents for a request', async () => {
    reads = [];
    const exists = (id: string) => `firestore.exists(/databases/(default)/documents/teams/${id})`;
    const ruleset = await load(
      rules(`match /{all=**} { allow create: if !${exists('a')} && !${exists('b')} && !${exists('c')}; }`),
    );

    const { permitted, issues } = await ruleset.verify(upload(1));

    expect(permitted).toBe(false);
    expect(issues.all).toEqual([expect.stringContaining('maximum of 2 document access calls')]);
    expect(reads).toHaveLength(2);
  });

  test('answers requests that wait for documents at the same time', async () => {
    reads = [];
    const ruleset = await load(
      rules('match /{id} { allow get: if firestore.exists(/databases/(default)/documents/teams/$(id)); }'),
    );
    const get = (id: string) =>
      ruleset.verify({ method: 'get', path: `/b/bucket/o/${id}`, projectId: 'demo-x', file: {} });

    const verdicts = await Promise.all(['red', 'blue', 'red', 'green'].map(get));

    expect(verdicts.map(({ permitted }) => permitted)).toEqual([true, false, true, false]);
  });
});

describe('the runtime process', () => {
  test('answers a malformed line with an error and reads the next line', async () => {
    const child = spawn(process.execPath, [require.resolve('@hearth/security-rules/storage-runtime')]);
    const lines = [
      'not JSON',
      '',
      '"text"',
      '{"id":7,"action":"verify","context":{"rulesetName":"none"}}',
      '{"id":8,"action":"unload","context":{"rulesetName":"0"}}',
      '{"id":9,"action":"load_ruleset","context":{"rulesetName":"0","source":{}}}',
      '{"id":10,"action":"verify"}',
    ];
    child.stdin.end(`${lines.join('\n')}\n`);
    const answers: unknown[] = [];
    for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
    if (child.exitCode === null) await once(child, 'exit');

    const failure = (message: unknown, rest: object = {}) => ({
      ...rest,
      status: 'error',
      message,
      errors: [message],
      warnings: [],
    });
    expect(answers).toEqual([
      { id: -1, status: 'ok', errors: [], warnings: [] },
      failure(expect.any(String)),
      failure('request must be an object'),
      failure('Ruleset none is not loaded', { id: 7, action: 'verify' }),
      failure('Unsupported action "unload"', { id: 8, action: 'unload' }),
      failure('context.source.files must be a list', { id: 9, action: 'load_ruleset' }),
      failure('context must be an object', { id: 10, action: 'verify' }),
    ]);
    expect(child.exitCode).toBe(0);
  });
});

function unsigned(claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
}
