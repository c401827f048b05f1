import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { ROOT } from './paths.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Runs a command of package.json, without npm. */
async function run(name: string, ...args: string[]) {
  const [, file = '', ...own] = scripts[name]?.split(' ') ?? [];
  return execa(process.execPath, [file, ...own, ...args], { cwd: ROOT, stdin: 'ignore', reject: false });
}

const ALL_COMMANDS = [
  ['admin', '--project', '--bucket', '--dry-run', 'users show <user>', '--until'],
  ['setup', '--project', '--region', '--settings', '--dry-run', '--yes'],
  ['doctor', '--project', '--region', '--settings'],
  ['create', '--name', '--plans', '--no-pages', '--template', '--yes'],
  ['upgrade', '--from', '--dry-run'],
  ['export-user', '--project', '--uid'],
  ['restore-documents', '--project', '--from', '--path', '--yes', 'usageReports'],
  ['takeover:stripe-extension', '--project', '--dry-run', '--after'],
  ['start', '--free-ports', '--no-build', '--no-seed', '--latency production'],
] as const;

/** A project that was made from this one makes no further projects. */
const COMMANDS = ALL_COMMANDS.filter(([name]) => name in scripts);

describe.each(COMMANDS)('npm run %s', (name, ...parts) => {
  test('prints its help and does nothing else', async () => {
    const { exitCode, stdout, stderr } = await run(name, '--help');
    expect(stdout).toMatch(/^Usage:\n {2}[^]*\nOptions:\n[^]*\nExamples?:\n {2}/);
    for (const part of parts) expect(stdout).toContain(part);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  });
});

// `npm start` hands options that it does not know to the Firebase CLI.
test.each(COMMANDS.map(([name]) => name).filter((name) => name !== 'start'))(
  'npm run %s names the known options for an unknown one',
  async (name) => {
    const { exitCode, stdout, stderr } = await run(name, '--froce');
    // `npm run upgrade` prints everything on one stream.
    expect(stdout + stderr).toMatch(/^Unknown option '--froce'\. The options are --\w+, /);
    expect(exitCode).not.toBe(0);
  },
);
