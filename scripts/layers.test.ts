import { globSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';
import { COMPOSERS, FEATURES, SHARED_ROOMS } from '../eslint.layers.ts';
import { ROOT } from './paths.ts';

const SOURCE = join(ROOT, 'functions/src');

const features = Object.keys(FEATURES);
const rooms = Object.keys(SHARED_ROOMS);

/** These rules need no type information, which takes seconds to collect. */
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: [{ files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked }],
});

const LAYER_RULES = new Set<string | null>([
  'import-x/no-restricted-paths',
  'max-params',
  'no-restricted-imports',
  'no-restricted-properties',
]);

/** The layer rules that a file of this text would break. @param path below functions/src; no such file need exist */
async function brokenBy(path: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: join(SOURCE, path) });
  const found = result?.messages ?? [];
  expect(found.filter(({ fatal }) => fatal)).toEqual([]);
  const rules = new Set(found.map(({ ruleId }) => ruleId));
  return [...rules.intersection(LAYER_RULES)];
}

/** Any file of a folder below functions/src. A rule does not see an import of a file that does not exist. */
function fileIn(folder: string, pattern = '*.ts'): string {
  const [first] = globSync(`${folder}/**/${pattern}`, { cwd: SOURCE }).sort();
  if (first === undefined) throw new Error(`${folder}/ contains no ${pattern}.`);
  return first;
}

const specifier = (from: string, to: string) => {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};

const importOf = (from: string, to: string) => `import * as all from '${specifier(from, to)}';`;

const brokenByImport = (from: string, to: string) => brokenBy(from, importOf(from, to));

test('every folder of functions/src is a feature, a shared room or support for tests', () => {
  const folders = readdirSync(SOURCE, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  expect(folders.sort()).toEqual([...features, ...rooms, 'testing'].sort());
});

test.each(features)(
  '%s/ may import the features of its list, from any depth, and no other',
  async (feature) => {
    for (const other of features.filter((name) => name !== feature)) {
      const isAllowed = FEATURES[feature]?.includes(other);
      const expected = isAllowed ? [] : ['import-x/no-restricted-paths'];
      for (const from of [`${feature}/example.ts`, `${feature}/a/b/example.ts`]) {
        expect(await brokenByImport(from, fileIn(other)), `${from} -> ${other}/`).toEqual(expected);
      }
    }
  },
);

test.each(rooms)('%s/ is shared and imports no feature', async (room) => {
  for (const feature of features) {
    for (const from of [`${room}/example.ts`, `${room}/a/example.ts`]) {
      expect(await brokenByImport(from, fileIn(feature)), `${from} -> ${feature}/`).toEqual([
        'import-x/no-restricted-paths',
      ]);
    }
  }
});

test.each(COMPOSERS)('%s may import every feature', async (file) => {
  for (const feature of features) expect(await brokenByImport(file, fileIn(feature))).toEqual([]);
});

const IMPORT = 'import-x/no-restricted-paths';

test.each([
  ['auth/ does not import http/', 'auth/example.ts', 'http', IMPORT],
  ['rate-limits/ does not import http/', 'rate-limits/example.ts', 'http', IMPORT],
  ['a service may import rate-limits/', 'teams/example.service.ts', 'rate-limits', undefined],
  ['http/ may import auth/', 'http/example.ts', 'auth', undefined],
  ['a service does not import http/', 'teams/example.service.ts', 'http', IMPORT],
  ['a store does not import http/', 'billing/a/example.store.ts', 'http', IMPORT],
  ['routes may import http/', 'teams/example.routes.ts', 'http', undefined],
])('%s', async (_title, from, folder, rule) => {
  expect(await brokenByImport(from, fileIn(folder))).toEqual(rule === undefined ? [] : [rule]);
});

test('settings/ imports its own files and the plans, and no other folder', async () => {
  const from = 'settings/example.ts';
  for (const to of [fileIn('common'), fileIn('refusals')])
    expect(await brokenByImport(from, to)).toEqual([IMPORT]);
  for (const to of [fileIn('settings'), '../plans.json']) expect(await brokenByImport(from, to)).toEqual([]);
});

test('routes import services, and never stores', async () => {
  const from = 'billing/checkout/example.routes.ts';
  expect(await brokenByImport(from, fileIn('billing', '*.store.ts'))).toEqual([IMPORT]);
  expect(await brokenByImport(from, fileIn('billing', '*.service.ts'))).toEqual([]);
});

test('stores import no services, and neither of them imports routes', async () => {
  const [service, store] = ['billing/a/example.service.ts', 'billing/a/example.store.ts'];
  expect(await brokenByImport(store, fileIn('billing', '*.service.ts'))).toEqual([IMPORT]);
  expect(await brokenByImport(service, fileIn('billing', '*.store.ts'))).toEqual([]);
  for (const from of [service, store]) {
    expect(await brokenByImport(from, fileIn('billing', '*.routes.ts'))).toEqual([IMPORT]);
  }
});

test('no room imports the entry points', async () => {
  expect(await brokenByImport('teams/example.ts', 'app.ts')).toEqual([IMPORT]);
  expect(await brokenByImport('http/example.ts', 'index.ts')).toEqual([IMPORT]);
});

test('types, re-exports and dynamic imports count as imports', async () => {
  const from = 'mail/example.ts';
  const path = specifier(from, fileIn('teams'));
  const codes = [
    `import type { T } from '${path}';`,
    `export * from '${path}';`,
    `export const later = () => import('${path}');`,
  ];
  for (const code of codes) expect(await brokenBy(from, code), code).toEqual([IMPORT]);
});

test('services, stores and rate-limits/ do not import express, not even its types', async () => {
  const code = `import type { Request } from 'express';`;
  expect(await brokenBy('teams/example.service.ts', code)).toEqual(['no-restricted-imports']);
  expect(await brokenBy('teams/example.store.ts', code)).toEqual(['no-restricted-imports']);
  expect(await brokenBy('rate-limits/example.ts', code)).toEqual(['no-restricted-imports']);
  expect(await brokenBy('teams/example.routes.ts', code)).toEqual([]);
});

test('only settings/environment.ts and tests read the environment', async () => {
  for (const code of ['console.log(process.env);', `process.env['A'];`, 'const { env } = process;']) {
    expect(await brokenBy('teams/example.ts', code), code).toEqual(['no-restricted-properties']);
    expect(await brokenBy('index.ts', code), code).toEqual(['no-restricted-properties']);
    expect(await brokenBy('settings/example.ts', code), code).toEqual(['no-restricted-properties']);
    expect(await brokenBy('settings/environment.ts', code), code).toEqual([]);
    expect(await brokenBy('teams/example.test.ts', code), code).toEqual([]);
  }
  const code = `import { env } from 'node:process';`;
  expect(await brokenBy('teams/example.ts', code)).toEqual(['no-restricted-imports']);
  expect(await brokenBy('teams/example.store.ts', code)).toEqual(['no-restricted-imports']);
});

test('a function has at most five parameters', async () => {
  const taking = (names: string) => `export function example(${names}) { return [${names}]; }`;
  expect(await brokenBy('teams/example.ts', taking('a, b, c, d, e'))).toEqual([]);
  expect(await brokenBy('teams/example.ts', taking('a, b, c, d, e, f'))).toEqual(['max-params']);
});
