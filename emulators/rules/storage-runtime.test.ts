import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareEmulatorFiles } from '../../scripts/emulator-files.ts';
import { createStorageRulesProtocol, denyAll } from './storage-protocol.ts';

const SOURCE = {
  files: [{ name: 'storage.rules', content: "rules_version = '2';\nservice firebase.storage {}" }],
};

/** The Firebase CLI's own client of the runtime. */
interface RulesRuntime {
  start: () => Promise<void>;
  stop: () => Promise<void>;
  loadRuleset: (source: typeof SOURCE) => Promise<{ ruleset: Ruleset; issues: { all: string[] } }>;
}
interface Ruleset {
  rulesVersion: number;
  verify: (request: object) => Promise<{ permitted: boolean; issues: { all: string[] } }>;
}

describe("the Firebase CLI's storage rules runtime", () => {
  let runtime: RulesRuntime;

  beforeAll(async () => {
    process.env['FIREBASE_EMULATORS_PATH'] = prepareEmulatorFiles();
    process.env['PATH'] = [join(import.meta.dirname, '../bin'), process.env['PATH']].join(delimiter);
    const { StorageRulesRuntime } = createRequire(import.meta.url)(
      'firebase-tools/lib/emulator/storage/rules/runtime.js',
    ) as { StorageRulesRuntime: new () => RulesRuntime };
    runtime = new StorageRulesRuntime();
    await runtime.start();
  });
  afterAll(() => runtime.stop());

  test('loads a ruleset and knows its version', async () => {
    const { ruleset, issues } = await runtime.loadRuleset(SOURCE);

    expect(ruleset.rulesVersion).toBe(2);
    expect(issues.all).toEqual([]);
  });

  test.each(['get', 'list', 'create', 'update', 'delete'])(
    'denies an end user to %s, and says why',
    async (method) => {
      const { ruleset } = await runtime.loadRuleset(SOURCE);

      const verdict = await ruleset.verify({
        method,
        path: '/b/bucket/o/a.png',
        file: {},
        projectId: 'demo-x',
      });

      expect(verdict.permitted).toBe(false);
      expect(verdict.issues.all).toEqual([expect.stringContaining(`Denied ${method} /b/bucket/o/a.png`)]);
    },
  );
});

describe('the runtime process', () => {
  test('answers what it cannot read with an error and goes on', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'storage-runtime.ts')]);
    child.stdin.end('not JSON\n\n"text"\n{"id":7,"action":"verify","context":{"rulesetName":"none"}}\n');
    const answers: unknown[] = [];
    const anyMessage: unknown = expect.any(String);
    for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
    if (child.exitCode === null) await once(child, 'exit');

    expect(answers).toEqual([
      { id: -1, status: 'ok', errors: [], warnings: [] },
      { status: 'error', message: anyMessage, errors: [anyMessage], warnings: [] },
      { status: 'error', message: 'request must be an object', errors: [anyMessage], warnings: [] },
      expect.objectContaining({
        id: 7,
        action: 'verify',
        status: 'error',
        errors: ['Ruleset none is not loaded'],
      }),
    ]);
    expect(child.exitCode).toBe(0);
  });
});

describe('createStorageRulesProtocol', () => {
  const load = (content: string) =>
    JSON.stringify({
      id: 1,
      action: 'load_ruleset',
      context: { rulesetName: '0', source: { files: [{ name: 'a', content }] } },
    });

  test.each([
    ["rules_version = '2';", 2],
    ['rules_version = "2";', 2],
    ["rules_version='1';", 1],
    ['service firebase.storage {}', 1],
    ["// rules_version = '2';", 1],
  ])('reads the version of %j as %i', (content, rulesVersion) => {
    expect(createStorageRulesProtocol(denyAll)(load(content))).toMatchObject({ result: { rulesVersion } });
  });

  test('hands the evaluator the sources of the ruleset that the request names', () => {
    const answer = createStorageRulesProtocol((files, { method, path }) => ({
      permit: files[0]?.content === 'open' && method === 'get' && path === '/a',
      warnings: [],
    }));
    answer(load('open'));

    const verify = JSON.stringify({
      id: 2,
      action: 'verify',
      context: { rulesetName: '0', path: '/a', method: 'get' },
    });

    expect(answer(verify)).toMatchObject({ id: 2, status: 'ok', result: { permit: true } });
  });

  test.each([
    [{ id: 3, action: 'unload', context: { rulesetName: '0' } }, 'Unsupported action "unload"'],
    [
      { id: 3, action: 'load_ruleset', context: { rulesetName: '0', source: {} } },
      'context.source.files must be a list',
    ],
    [{ id: 3, action: 'verify' }, 'context must be an object'],
  ])('answers %j with an error to its sender', (request, message) => {
    expect(createStorageRulesProtocol(denyAll)(JSON.stringify(request))).toEqual({
      id: 3,
      action: request.action,
      status: 'error',
      message,
      errors: [message],
      warnings: [],
    });
  });
});
