/**
 * Says which files belong to a project that is built on Hearth. `npm run upgrade` advises by it in a conflict, and the
 * table of docs/building.md is written from it: `npm run ownership`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { ROOT } from '../paths.ts';

/** The version of a file to keep in a conflict; `both` are the lines of both. */
export type Side = 'yours' | 'both' | 'theirs';

export interface Ownership {
  /** Files, folders that end with a slash, and globs. The first row that has a file decides. */
  files: readonly string[];
  /** The first cell, where the list of files does not say it. */
  label?: string;
  /** Whether a project should change these files. */
  change: string;
  side: Side;
  /** The advice in a conflict. */
  conflict: string;
}

const REST: Ownership = {
  files: [],
  label: 'everything else',
  change: 'Rather not. If you must, make a small commit that says why.',
  side: 'theirs',
  conflict: 'Take the version of Hearth, and repeat your change if you still need it.',
};

/** The rows of the table. */
export const OWNERSHIP: readonly Ownership[] = [
  {
    files: [
      'functions/plans.json',
      'functions/extras.json',
      'shared/brand.json',
      'functions/src/app-hooks.ts',
      '.firebaserc',
      'functions/.env.*',
      'README.md',
    ],
    change: 'Yes. They are made for it.',
    side: 'yours',
    conflict: 'Keep your version.',
  },
  {
    files: ['web/'],
    change: 'Yes, or replace it. The API does not depend on it.',
    side: 'yours',
    conflict: 'Keep your version, or your deletion.',
  },
  {
    files: [],
    label: 'new folders in `functions/src/`, new files anywhere',
    change: 'Yes.',
    side: 'yours',
    conflict: 'They never conflict.',
  },
  {
    files: ['package-lock.json', 'functions/package-lock.json'],
    change: 'Never by hand.',
    side: 'theirs',
    conflict: 'Take the version of Hearth, then `npm install` and `npm run lock -w functions`.',
  },
  {
    files: ['client/src/generated/', 'functions/src/openapi/costs.json'],
    change: 'Never by hand.',
    side: 'theirs',
    conflict: 'Take the version of Hearth, then `npm run generate -w client` and `npm run costs`.',
  },
  {
    files: [
      'functions/src/app.ts',
      'functions/src/index.ts',
      'functions/src/feature-hooks/registry.ts',
      'functions/src/firestore/collections.ts',
      'functions/src/firestore/damage.test.ts',
      'functions/src/openapi/texts.ts',
      'functions/src/refusals/refusals.ts',
      'functions/src/refusals/sharing-a-code.ts',
      'functions/src/settings/table.ts',
      'shared/src/roles.ts',
      'tests/contract.test.ts',
      'tests/rules/documents.ts',
      'eslint.layers.ts',
      'firestore.rules',
      'storage.rules',
      'firestore.indexes.json',
      'firebase.json',
      'package.json',
    ],
    change: 'Add lines.',
    side: 'both',
    conflict: 'Keep the lines of both. Conflicts are small.',
  },
  REST,
];

/** The row of the table that has a file. */
export function ownershipOf(file: string): Ownership {
  return OWNERSHIP.find(({ files }) => files.some((pattern) => matches(file, pattern))) ?? REST;
}

function matches(file: string, pattern: string): boolean {
  return pattern.endsWith('/') ? file.startsWith(pattern) : matchesGlob(file, pattern);
}

export const BUILDING_PAGE = join(ROOT, 'docs/building.md');

const TABLE = /(\n## Which files are yours\n\n)(?:\|.*\n)+/;
const HEAD = ['| files | change them? | in a conflict |', '| --- | --- | --- |'];

/**
 * Replaces the table of docs/building.md.
 *
 * @throws Error if the page has no such table
 */
export function withOwnership(page: string): string {
  if (!TABLE.test(page)) throw new Error('docs/building.md has no table below "## Which files are yours".');
  const rows = [...HEAD, ...OWNERSHIP.map(rowOf)].map((row) => `${row}\n`).join('');
  return page.replace(TABLE, (_table, heading: string) => heading + rows);
}

function rowOf({ files, label, change, conflict }: Ownership): string {
  const names = label ?? files.map((file) => `\`${file}\``).join(', ');
  return `| ${names} | ${change} | ${conflict} |`;
}

if (import.meta.main) {
  writeFileSync(BUILDING_PAGE, withOwnership(readFileSync(BUILDING_PAGE, 'utf8')));
}
