import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../functions/src/settings/table.ts';
import { CONFIGURATION_PAGE, withTables } from './configuration-tables.ts';

const page = readFileSync(CONFIGURATION_PAGE, 'utf8');

test('the tables of docs/configuration.md are those that `npm run configuration` writes', () => {
  expect(page).toBe(withTables(page));
});

test('docs/configuration.md has one row for each setting, with its default', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name, cell]) => [name, cell]);
  const wanted = Object.values(SETTINGS).map(({ name, param, default: value }) => {
    if (param === 'secret') return [name, 'required, secret'];
    return [name, value === undefined ? 'required' : `\`${value}\``];
  });
  expect(rows.toSorted()).toEqual(wanted.toSorted());
});

test('an outdated row is replaced and the text around the tables is kept', () => {
  const outdated = page.replace('| `5` |', '| `6` |').replace('| `SESSION_DAYS`', '| `SESSION_HOURS`');
  expect(outdated).not.toBe(page);
  expect(withTables(outdated)).toBe(page);
});

test('a subject without heading or table is an error', () => {
  expect(() => withTables(page.replace('\n## Mail\n', '\n## Post\n'))).toThrow('"## Mail"');
  const withoutTable = page.replace(/(\n## Sessions\n)[^#]*/, '$1\n');
  expect(() => withTables(withoutTable)).toThrow('no table below "## Sessions"');
});
