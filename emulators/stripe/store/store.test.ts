import { expect, test } from 'vitest';
import { Collection } from './collection.ts';
import { Journal } from './journal.ts';
import { Store } from './store.ts';

interface Cup {
  id: string;
  size: number;
  tags: string[];
  note?: string;
}

function cups(): { journal: Journal; rows: Collection<Cup> } {
  const journal = new Journal();
  const rows = new Collection<Cup>(journal);
  rows.insert({ id: 'a', size: 1, tags: ['blue'] });
  rows.insert({ id: 'b', size: 2, tags: [], note: 'chipped' });
  rows.insert({ id: 'c', size: 2, tags: [] });
  return { journal, rows };
}

test('rows are found by id and by their properties, in order of creation', () => {
  const { rows } = cups();
  expect(rows.get('b')?.note).toBe('chipped');
  expect(rows.get('x')).toBeUndefined();
  expect(rows.where(({ size }) => size === 2).map(({ id }) => id)).toEqual(['b', 'c']);
  expect(rows.find(({ size }) => size === 2)?.id).toBe('b');
  expect(rows.some(({ size }) => size === 3)).toBe(false);
  expect(rows.size).toBe(3);
});

test('a patch makes a new row and leaves the old one as it was', () => {
  const { rows } = cups();
  const before = rows.get('b');
  const after = rows.patch('b', { size: 5, note: undefined });
  expect(before).toEqual({ id: 'b', size: 2, tags: [], note: 'chipped' });
  expect(after).toEqual({ id: 'b', size: 5, tags: [] });
  expect(Object.keys(after)).not.toContain('note');
  expect(rows.latest(before ?? after)).toBe(after);
  expect([...rows].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('a row cannot be changed in place, nor anything within it', () => {
  const { rows } = cups();
  const row = rows.get('a');
  expect(() => Object.assign(row ?? {}, { size: 9 })).toThrow(TypeError);
  expect(() => row?.tags.push('red')).toThrow(TypeError);
});

test('an id can be inserted once only, and put replaces its row', () => {
  const { rows } = cups();
  expect(() => rows.insert({ id: 'a', size: 9, tags: [] })).toThrow('There is a row with the id a already');
  expect(rows.put({ id: 'a', size: 9, tags: [] }).size).toBe(9);
  expect(rows.get('a')?.size).toBe(9);
  expect(() => rows.patch('x', { size: 1 })).toThrow('There is no row with the id x');
});

test('rolling back undoes every kind of write and restores the order', () => {
  const { journal, rows } = cups();
  const before = [...rows];
  const change = journal.begin();
  rows.patch('a', { size: 7 });
  rows.remove('b');
  rows.insert({ id: 'd', size: 4, tags: [] });
  rows.patch('a', { size: 8 });
  rows.put({ id: 'a', size: 9, tags: [] });
  rows.removeWhere(({ size }) => size === 2);
  change.rollBack();
  expect([...rows]).toEqual(before);
});

test('an inner change is undone alone, and with the outer one after its commit', () => {
  const { journal, rows } = cups();
  const outer = journal.begin();
  rows.patch('a', { size: 10 });
  const undone = journal.begin();
  rows.patch('a', { size: 11 });
  undone.rollBack();
  expect(rows.get('a')?.size).toBe(10);
  const committed = journal.begin();
  rows.patch('b', { size: 12 });
  committed.commit();
  outer.rollBack();
  expect([...rows].map(({ size }) => size)).toEqual([1, 2, 2]);
});

test('a write during an iteration does not change the iteration', () => {
  const { rows } = cups();
  const seen: string[] = [];
  for (const { id } of rows) {
    seen.push(id);
    rows.remove('c');
    rows.put({ id: `${id}2`, size: 0, tags: [] });
  }
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('the store lists its collections by name and forgets everything', () => {
  const store = new Store();
  store.linkItems.insert({ id: 'plink_1', lineItems: [] });
  expect(store.collections().get('linkItems')?.size).toBe(1);
  expect([...store.collections().keys()]).toContain('subscriptions');
  store.clear();
  expect(store.linkItems.size).toBe(0);
});
