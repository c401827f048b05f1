import { inspect, isDeepStrictEqual } from 'node:util';
import { FieldValue, Timestamp, type Firestore } from 'firebase-admin/firestore';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { DocumentPath, fromStored, parseDocument, toStored } from './convert.ts';
import { DamagedDocument } from './damage.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');

/** Refers to its client, which refers back, like a reference of the real client. */
class Reference {
  readonly path: string;
  readonly firestore: object;

  constructor(path: string) {
    this.path = path;
    this.firestore = { last: this };
  }
}

const firestore = { doc: (path: string) => new Reference(path) } as unknown as Firestore;
const stored = (reference: unknown) => ({
  at: Timestamp.fromDate(NOW),
  list: [1, null, { inside: reference }],
  text: 'a',
});

test('a stored value is read with Dates and paths, at any depth', () => {
  expect(fromStored(stored(new Reference('a/b')))).toEqual({
    at: NOW,
    list: [1, null, { inside: new DocumentPath('a/b') }],
    text: 'a',
  });
});

test('a value is stored with references of the client, and with its Dates', () => {
  const value = fromStored(stored(new Reference('a/b')));
  expect(toStored(firestore, value)).toEqual({ ...stored(new Reference('a/b')), at: NOW });
});

test.each([
  ['reference', { path: 'a/b', firestore: true }],
  ['Timestamp', { toDate: 'a', toMillis: 'b' }],
])('a map with the fields of a %s is a map', (_name, map) => {
  expect(fromStored(map)).toEqual(map);
});

test('other objects of the client stay as they are', () => {
  const removed = FieldValue.delete();
  expect(toStored(firestore, { removed })).toEqual({ removed });
  expect((toStored(firestore, { removed }) as { removed: unknown }).removed).toBe(removed);
});

test('two paths of one document are equal', () => {
  expect(isDeepStrictEqual(new DocumentPath('a/b'), new DocumentPath('a/b'))).toBe(true);
  expect(isDeepStrictEqual(new DocumentPath('a/b'), new DocumentPath('a/c'))).toBe(false);
  expect(JSON.stringify([new DocumentPath('a/b')])).toBe('["a/b"]');
});

test('a damaged document gives its intact fields, and shows none of them in a log', () => {
  const schema = z.object({ name: z.string(), at: z.date(), count: z.number() });
  const data = { name: 'Secret', at: Timestamp.fromDate(NOW), count: 'many' };
  const damaged = parseDocument(schema, 'a/b', data);
  if (!(damaged instanceof DamagedDocument)) throw new Error('not damaged');
  expect(damaged.field('at', schema.shape.at)).toEqual(NOW);
  expect(damaged.field('count', schema.shape.count)).toBeUndefined();
  expect(damaged.field('missing', z.string())).toBeUndefined();
  expect(inspect(damaged, { depth: null })).not.toContain('Secret');
});
