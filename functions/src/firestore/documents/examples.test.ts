import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NESTED_COLLECTIONS, ROOT_COLLECTIONS } from '../collections.ts';
import { DocumentPath, parseDocument } from '../convert.ts';
import { DamagedDocument } from '../damage.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/example-documents.md'), 'utf8');

const EXAMPLES = [...PAGE.matchAll(/^### `([^`]+)`\n[^`#]*(?:`[^`\n]+`[^`#]*)*```json\n(.+?)\n```/gms)].map(
  ([, path = '', json = '']): [path: string, document: object] => [
    path,
    JSON.parse(json, fromExample) as object,
  ],
);

/** A time stands for a Timestamp, and a text that begins with `/` for a reference. */
function fromExample(_key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value);
  return value.startsWith('/') ? new DocumentPath(value.slice(1)) : value;
}

const SCHEMAS = [
  ...Object.values(ROOT_COLLECTIONS).map(({ path, schema }) => ({ path: `${path}/{}`, schema })),
  ...Object.values(NESTED_COLLECTIONS).map(({ parent, group, schema }) => ({
    path: `${parent}/{}/${group}/{}`,
    schema,
  })),
];

function schemaOf(path: string) {
  const pattern = path.split('/').map((part, index) => (index % 2 === 0 ? part : '{}'));
  const schema = SCHEMAS.find((one) => one.path === pattern.join('/'))?.schema;
  if (schema === undefined) throw new Error(`No collection has the document ${path}.`);
  return schema;
}

test('the page has an example under each heading of a document', () => {
  expect(EXAMPLES.map(([path]) => path)).toEqual(
    [...PAGE.matchAll(/^### `([^`]+)`$/gm)].map(([, path]) => path),
  );
});

test.each(EXAMPLES)(
  'the example %s matches its schema, and has no field that the schema lacks',
  (path, example) => {
    const parsed = parseDocument<object>(schemaOf(path), path, example);
    expect(parsed).not.toBeInstanceOf(DamagedDocument);
    expect(Object.keys(parsed)).toEqual(expect.arrayContaining(Object.keys(example)));
  },
);
