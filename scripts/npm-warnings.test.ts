import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './paths.ts';

test('npm does not warn of a package that needs a newer Node than the one that runs npm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-npm-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = (path: string, manifest: object) =>
    writeFile(join(folder, path, 'package.json'), JSON.stringify(manifest));
  await mkdir(join(folder, 'newer'));
  await write('newer', { name: 'newer', version: '1.0.0', engines: { node: '>=99' } });
  await write('.', { private: true, dependencies: { newer: 'file:./newer' } });
  // `npm test` hands its own settings, loglevel among them, to the programs that it runs.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_')),
  );
  const install = () =>
    execa('npm', ['install', '--dry-run', '--offline'], { cwd: folder, env, extendEnv: false });

  expect((await install()).stderr).toContain('EBADENGINE');
  await copyFile(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
  const { stderr, stdout } = await install();
  expect(stderr).toBe('');
  expect(stdout).toContain('added 1 package');
});
