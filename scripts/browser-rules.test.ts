import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';

/** These rules need no type information, which takes seconds to collect. */
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: [{ files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked }],
});

const RULES: readonly (string | null)[] = [
  'no-restricted-globals',
  'no-restricted-properties',
  'no-restricted-syntax',
];

/** The rules of eslint.browsers.ts that a file of this text would break; no such file need exist. */
async function brokenBy(path: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: join(ROOT, path) });
  const found = result?.messages ?? [];
  expect(found.filter(({ fatal }) => fatal)).toEqual([]);
  return found.map(({ ruleId }) => ruleId).filter((rule) => RULES.includes(rule));
}

test.each(['web/src/example.ts', 'client/src/example.ts', 'shared/src/example.ts'])(
  '%s may not use functions that the oldest supported browsers do not have',
  async (path) => {
    for (const code of [
      "URL.parse('/');",
      'Promise.withResolvers();',
      'new Intl.Segmenter();',
      'a.isWellFormed();',
    ])
      expect(await brokenBy(path, code)).toEqual(['no-restricted-properties']);
    expect(await brokenBy(path, 'requestIdleCallback(run);')).toEqual(['no-restricted-globals']);
    expect(await brokenBy(path, 'query.size === 0;')).toEqual(['no-restricted-syntax']);
    expect(await brokenBy(path, '/[a--b]/v.test(text);')).toEqual(['no-restricted-syntax']);
  },
);

test('code of browsers may use what they have, and code of the server everything', async () => {
  const code =
    "new URL('/', origin); found.size; list.toSorted(); list.findLast(isLast); structuredClone(list);";
  expect(await brokenBy('web/src/example.ts', code)).toEqual([]);
  expect(await brokenBy('functions/src/common/example.ts', "URL.parse('/');")).toEqual([]);
});

test('a part of the app is loaded with loadPart only', async () => {
  const path = 'web/src/example.ts';
  expect(await brokenBy(path, "await import('./part.ts');")).toEqual(['no-restricted-syntax']);
  expect(await brokenBy(path, "await loadPart(() => import('./part.ts'));")).toEqual([]);
  const route = "({ load: () => import('./page.tsx').then(({ Page }) => ({ Page })) });";
  expect(await brokenBy(path, route)).toEqual([]);
});
