import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/paths.ts';
import { generate } from '../../client/generate.ts';

const PACKAGE = join(ROOT, 'client');

test('the generated files are up to date', async () => {
  for (const [path, text] of await generate()) {
    const current = await readFile(path, 'utf8');
    expect(current === text, `${path}: run \`npm run generate -w client\`.`).toBe(true);
  }
});

test('the published package runs on its own, and its types need only firebase', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: PACKAGE,
  });
  const { createHearthClient } = (await import(
    join(folder, 'index.js')
  )) as typeof import('../../client/src/index.ts');
  expect(createHearthClient({ baseUrl: 'https://a.example' }).billing.portalUrl()).toBe(
    'https://a.example/api/auth/portal',
  );
  const imported = new Set<string>();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, from = ''] of text.matchAll(/\bfrom '([^']+)'/g)) imported.add(from);
  }
  const outside = [...imported].filter((from) => !from.startsWith('./') && !from.startsWith('firebase/'));
  expect(outside).toEqual([]);
});
