import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseJavaCommand, VERSION_BANNER } from './launcher.ts';
import { LIFELINE_VARIABLE } from './lifeline.ts';

const JAVA = join(import.meta.dirname, 'java');

describe('parseJavaCommand', () => {
  const cases: [string, string, ReturnType<typeof parseJavaCommand>][] = [
    ['the version check', '-Duser.language=en -Dfile.encoding=UTF-8 -version', { kind: 'version' }],
    [
      'Firestore with its options',
      '-Dx=y -Duser.language=en -jar /cache/cloud-firestore-emulator-v1.22.0.jar --host 127.0.0.1 --port 8080',
      { kind: 'firestore', args: ['--host', '127.0.0.1', '--port', '8080'] },
    ],
    [
      'the storage rules runtime',
      '-Djava.security.manager=disallow -jar /cache/cloud-storage-rules-runtime-v1.1.3.jar serve',
      { kind: 'storage-rules' },
    ],
    [
      'another JAR',
      '-jar /cache/firebase-database-emulator-v4.11.2.jar --port 9000',
      { kind: 'unsupported', reason: 'no stand-in for firebase-database-emulator-v4.11.2.jar --port 9000' },
    ],
    ['nothing to run', '-Dx=y', { kind: 'unsupported', reason: 'no -jar and no -version in: java -Dx=y' }],
  ];

  test.each(cases)('recognizes %s', (_name, line, expected) => {
    expect(parseJavaCommand(line.split(' '))).toEqual(expected);
  });
});

/** A folder with a `node` that does not run TypeScript, as Node 20. */
function folderWithOldNode(): string {
  const folder = mkdtempSync(join(tmpdir(), 'java-'));
  writeFileSync(join(folder, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

describe('with an old Node on PATH, the java command', () => {
  test('runs with the Node of node_modules', () => {
    const env = { PATH: `${folderWithOldNode()}:/usr/bin:/bin` };
    const { status, stderr } = spawnSync(JAVA, ['-version'], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, `${VERSION_BANNER}\n`]);
  });

  test('names the missing program if nothing is installed', () => {
    const folder = folderWithOldNode();
    const alone = join(folder, 'java');
    cpSync(JAVA, alone);
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    const { status, stderr } = spawnSync(alone, ['-version'], { encoding: 'utf8', env });
    expect(status).toBe(1);
    expect(stderr).toBe(
      'Local launcher: Node 24 or newer is needed. It is neither in node_modules (run npm install) nor on PATH.\n',
    );
  });
});

describe('the java command', () => {
  beforeAll(() => {
    process.env['PATH'] = [import.meta.dirname, process.env['PATH']].join(delimiter);
  });

  test('reports a version that the Firebase CLI accepts', async () => {
    const { checkJavaMajorVersion, MIN_SUPPORTED_JAVA_MAJOR_VERSION } = createRequire(import.meta.url)(
      'firebase-tools/lib/emulator/commandUtils.js',
    ) as { checkJavaMajorVersion: () => Promise<number>; MIN_SUPPORTED_JAVA_MAJOR_VERSION: number };

    expect(await checkJavaMajorVersion()).toBeGreaterThanOrEqual(MIN_SUPPORTED_JAVA_MAJOR_VERSION);
  });

  test('runs Firestore only as long as the script that started the stack lives', async () => {
    const jar = ['-jar', 'cloud-firestore-emulator-v1.0.0.jar', '--host', '127.0.0.1', '--port', '0'];
    const java = spawn(JAVA, jar, { env: { ...process.env, [LIFELINE_VARIABLE]: '1' } });
    const exited = once(java, 'exit');
    const [line] = (await once(createInterface({ input: java.stdout }), 'line')) as [string];
    const health = `http://${/[\d.]+:\d+$/.exec(line)?.[0] ?? ''}/`;
    expect((await fetch(health)).status).toBe(200);

    java.stdin.end();

    expect(await exited).toEqual([1, null]);
    await expect(fetch(health)).rejects.toThrow('fetch failed');
  });

  test('fails with a clear message for a program without a stand-in', () => {
    const { status, stderr } = spawnSync(JAVA, ['-jar', 'pubsub.jar'], { encoding: 'utf8' });

    expect(status).toBe(1);
    expect(stderr).toBe('Local launcher: no stand-in for pubsub.jar\n');
  });
});
