import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHearthClient } from './index.ts';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

/** The words in code font in the row of a part of the client. */
function namedIn(part: string): string[] {
  const row = README.split('\n').find((line) => line.startsWith(`| \`${part}\` |`)) ?? '';
  return [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).slice(1);
}

test.each(Object.entries(createHearthClient()))('the README names every method of %s', (part, api) => {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(api));
  expect(namedIn(part).sort()).toEqual(methods.filter((name) => name !== 'constructor').sort());
});
