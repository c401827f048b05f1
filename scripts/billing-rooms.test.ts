import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { FUNCTIONS } from './paths.ts';

const BILLING = join(FUNCTIONS, 'src/billing');

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The rooms of billing/ that each room imports. A room inside of another one counts as a room of its own. */
function roomImports(): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of globSync('*/**/*.ts', { cwd: BILLING }).filter((path) => !path.endsWith('.test.ts'))) {
    const room = roomOf(file);
    const imported = graph.get(room) ?? new Set();
    graph.set(room, imported);
    for (const [, path = ''] of readFileSync(join(BILLING, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const target = relative(BILLING, join(BILLING, dirname(file), path));
      if (target.includes(sep) && !target.startsWith('..')) imported.add(roomOf(target));
    }
    imported.delete(room);
  }
  return graph;
}

const roomOf = (file: string) => dirname(file);

/** Removes rooms that import no remaining room, until none is left. */
function roomsInCycles(graph: Graph): string[] {
  const left = new Set(graph.keys());
  const importsNoRemaining = (room: string) => left.isDisjointFrom(graph.get(room) ?? new Set());
  for (
    let free = [...left].filter(importsNoRemaining);
    free.length > 0;
    free = [...left].filter(importsNoRemaining)
  ) {
    for (const room of free) left.delete(room);
  }
  return [...left];
}

test('the rooms of billing import each other without a cycle', () => {
  const graph = roomImports();
  expect([...graph.keys()]).toEqual(expect.arrayContaining(['stripe', 'subscriptions', 'webhook']));
  expect(graph.get('webhook')).toContain('customers');
  expect(graph.get('subscriptions/overlap')).toContain('subscriptions/sync');
  expect(roomsInCycles(graph)).toEqual([]);
});

test('a cycle of rooms is found', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['a', 'c'])],
    ['c', new Set<string>()],
  ]);
  expect(roomsInCycles(graph)).toEqual(['a', 'b']);
});
