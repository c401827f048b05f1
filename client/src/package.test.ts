import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const CLIENT = join(import.meta.dirname, '..');

interface Manifest {
  main: string;
  types: string;
  files: string[];
  exports: Readonly<Record<string, { types: string; default: string }>>;
}

const read = (folder: string) =>
  JSON.parse(readFileSync(join(CLIENT, folder, 'package.json'), 'utf8')) as Manifest;

const { exports, files } = read('.');

test.each(Object.entries(exports))(
  'a bundler that does not read `exports` finds the same files of the entry %s',
  (entry, named) => {
    const { main, types } = read(entry);
    const pathOf = (path: string) => `./${relative(CLIENT, join(CLIENT, entry, path))}`;
    expect({ types: pathOf(types), default: pathOf(main) }).toEqual({
      types: named.types,
      default: named.default,
    });
    if (entry !== '.') expect(files).toContain(`${entry.slice(2)}/package.json`);
  },
);
