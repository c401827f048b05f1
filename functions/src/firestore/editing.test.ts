import { expect, test } from 'vitest';
import * as z from 'zod';
import { readFieldMarks } from '../testing/field-marks.ts';
import { NESTED_COLLECTIONS, ROOT_COLLECTIONS } from './collections.ts';

const COLLECTIONS = [
  ...Object.values(ROOT_COLLECTIONS).map(({ path, schema }) => ({ name: path, schema })),
  ...Object.values(NESTED_COLLECTIONS).map(({ group, schema }) => ({ name: group, schema })),
];

const NAMES = [...new Set<string>(COLLECTIONS.map(({ name }) => name))];

/** The fields of a schema. A schema that transforms documents names them in its input or its output. */
function fieldsOf(schema: z.core.$ZodType): string[] {
  for (const io of ['output', 'input'] as const) {
    const { properties } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    if (properties !== undefined) return Object.keys(properties);
  }
  return [];
}

const marks = readFieldMarks();

test.each(NAMES)('each field of %s has one mark on the page of the data model', (name) => {
  const marked = marks.filter(({ collection }) => collection === name).map(({ field }) => field);
  const schemas = COLLECTIONS.filter((collection) => collection.name === name);
  const fields = new Set(schemas.flatMap(({ schema }) => fieldsOf(schema)));
  expect(marked.toSorted()).toEqual([...fields].toSorted());
});

test('the page marks no other collections', () => {
  expect(marks.filter(({ collection }) => !NAMES.includes(collection))).toEqual([]);
});
