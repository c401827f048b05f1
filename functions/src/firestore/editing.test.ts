import { expect, test } from 'vitest';
import * as z from 'zod';
import { readFieldMarks } from '../testing/field-marks.ts';
import { NESTED_COLLECTIONS, ROOT_COLLECTIONS } from './collections.ts';

const COLLECTIONS: Readonly<Record<string, { schema: z.core.$ZodType }>> = {
  ...ROOT_COLLECTIONS,
  ...NESTED_COLLECTIONS,
};

/** The fields of a schema. A schema that transforms documents names them in its input or its output. */
function fieldsOf(schema: z.core.$ZodType): string[] {
  for (const io of ['output', 'input'] as const) {
    const { properties } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    if (properties !== undefined) return Object.keys(properties);
  }
  return [];
}

const marks = readFieldMarks();

test.each(Object.keys(COLLECTIONS))('each field of %s has one mark on the page of the data model', (name) => {
  const marked = marks.filter(({ collection }) => collection === name).map(({ field }) => field);
  expect(marked.toSorted()).toEqual(
    fieldsOf((COLLECTIONS[name] as { schema: z.core.$ZodType }).schema).toSorted(),
  );
});

test('the page marks no other collections', () => {
  expect(marks.filter(({ collection }) => !(collection in COLLECTIONS))).toEqual([]);
});

test('each mark is one of three, and a derived field names its source', () => {
  expect(marks.filter(({ mark }) => !['safe', 'derived', 'never'].includes(mark))).toEqual([]);
  const derived = marks.filter(({ mark }) => mark === 'derived');
  expect(derived.filter(({ note }) => !note.startsWith('overwritten'))).toEqual([]);
});
