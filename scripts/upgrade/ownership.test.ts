import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../paths.ts';
import { BUILDING_PAGE, OWNERSHIP, ownershipOf, withOwnership } from './ownership.ts';

const page = readFileSync(BUILDING_PAGE, 'utf8');

test('the table of docs/building.md is the one that `npm run ownership` writes', () => {
  expect(page).toBe(withOwnership(page));
});

test('an outdated row is replaced, and the text around the table is kept', () => {
  const outdated = page.replace('| `web/` | Yes', '| `web/` | No');
  expect(outdated).not.toBe(page);
  expect(withOwnership(outdated)).toBe(page);
});

test('a page without the table is an error', () => {
  expect(() => withOwnership(page.replace('## Which files are yours', '## Files'))).toThrow('no table');
});

test.each([
  ['functions/plans.json', 'yours'],
  ['functions/.env.production', 'yours'],
  ['web/src/app.tsx', 'yours'],
  ['firestore.rules', 'both'],
  ['package.json', 'both'],
  ['package-lock.json', 'theirs'],
  ['web.ts', 'theirs'],
  ['functions/src/teams/team.service.ts', 'theirs'],
])('in a conflict in %s the side to prefer is %s', (file, side) => {
  expect(ownershipOf(file).side).toBe(side);
});

test('the files to which docs/building.md adds lines are no files of Hearth alone', () => {
  const places = [...page.matchAll(/^```\w+\n\/\/ ([\w./-]+?), in /gm)].map(([, file = '']) => file);
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((file) => ownershipOf(file).side === 'theirs')).toEqual([]);
});

test('the files of the rows exist, except those that a project may delete', () => {
  const patterns = OWNERSHIP.filter(({ side }) => side !== 'yours').flatMap(({ files }) => files);
  expect(patterns.length).toBeGreaterThan(9);
  expect(patterns.filter((pattern) => !existsSync(join(ROOT, pattern)))).toEqual([]);
});
