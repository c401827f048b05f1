import { existsSync, statSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build as bundle } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './paths.ts';
import type { Processes } from './processes.ts';
import { BUILDS, reported, watch } from './programs.ts';
import { isWatched } from './watch.ts';

const WEB_CONFIG = join(ROOT, 'web/vite.config.ts');

// A project may have no pages.
test.each(existsSync(WEB_CONFIG) ? ['the web app'] : [])('npm start watches every source of %s', async () => {
  const result = await bundle({ configFile: WEB_CONFIG, logLevel: 'error', build: { write: false } });
  if (!('output' in result)) throw new Error('Vite built no bundle.');
  const modules = result.output.flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []));
  const own = modules.filter((id) => id.startsWith(ROOT) && !id.includes('/node_modules/'));
  const files = new Set(own.map((id) => relative(ROOT, id.replace(/\?.*$/, ''))));
  expect(files.size).toBeGreaterThan(50);
  expect([...files].filter((file) => !isWatched(file, BUILDS.web.sources))).toEqual([]);
});

test('a change of the plans builds the functions, updates the local Stripe, and says that the rules do not have it', async () => {
  const stop = new AbortController();
  onTestFinished(() => {
    stop.abort();
  });
  const built = Promise.withResolvers<string>();
  const lines: string[] = [];
  const processes = {
    signal: stop.signal,
    finish: (name: string) => {
      built.resolve(name);
      return Promise.resolve();
    },
  } as unknown as Processes;
  watch(processes, {
    onFunctionsBuilt: () => Promise.resolve(),
    onCatalogueChanged: () => Promise.resolve(['Local Stripe: create the prices max_month of Max']),
    print: (line) => lines.push(line),
  });

  // It has the same content afterwards.
  const plans = join(ROOT, 'functions/plans.json');
  const { atime, mtime } = statSync(plans);
  utimesSync(plans, atime, mtime);

  expect(await built.promise).toBe('functions build');
  await expect
    .poll(() => lines)
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/`npm run plans` writes them into the rules/),
        'Local Stripe: create the prices max_month of Max',
        expect.stringMatching(/^Built the functions/),
      ]),
    );
});

test('each build prints a line, and the first successful build after a failure is announced', async () => {
  const results = [true, false, false, true, true];
  const lines: string[] = [];
  const build = reported(
    'functions',
    () => (results.shift() === true ? Promise.resolve() : Promise.reject(new Error('A mistake in the code'))),
    (line) => lines.push(line.replace(/[\d.]+ s\./, '1.0 s.')),
  );

  for (let round = 0; round < 5; round++) await build();

  expect(lines).toEqual([
    'Built the functions in 1.0 s.',
    'The build of the functions failed. The last good build is still served.',
    'The build of the functions failed. The last good build is still served.',
    'Built the functions in 1.0 s. The build is fine again.',
    'Built the functions in 1.0 s.',
  ]);
});
