import { describe, expect, test } from 'vitest';
import { postForTest } from '../rest/testing.ts';
import { DATABASE } from '../testing.ts';

// https://firebase.google.com/docs/firestore/quotas and the comments in google/firestore/v1/write.proto and
// document.proto

const NAME = `${DATABASE}/documents/c/new`;
const set = (value: unknown): object => ({ update: { name: NAME, fields: { a: value } } });
const named = (field: string): object => ({
  update: { name: NAME, fields: { [field]: { integerValue: '1' } } },
});
const update = { name: NAME, fields: {} };
const increment = (fieldPath: string): object => ({ fieldPath, increment: { integerValue: '1' } });
const LONG = 'x'.repeat(1_501);

/** Each is INVALID_ARGUMENT, with a message that has this text. */
const REFUSED: [title: string, write: object, message: string][] = [
  [
    'a latitude beyond 90',
    set({ geoPointValue: { latitude: 90.1 } }),
    "latitude '90.1' outside permitted range",
  ],
  ['a longitude beyond -180', set({ geoPointValue: { longitude: -181 } }), "longitude '-181' outside"],
  ['a latitude that is NaN', set({ geoPointValue: { latitude: 'NaN' } }), "latitude 'NaN' outside"],
  ['bytes that are not base64', set({ bytesValue: '***' }), 'Invalid JSON payload'],
  ['a reference to a collection', set({ referenceValue: `${DATABASE}/documents/c` }), 'lacks "/" at index'],
  ['a reference to a database', set({ referenceValue: DATABASE }), 'does not match'],
  [
    'a nested reference to a collection',
    set({ arrayValue: { values: [{ referenceValue: `${DATABASE}/documents/c` }] } }),
    'lacks "/"',
  ],
  ['a value of no type', set({}), 'with type unset'],
  ['a value of two types', set({ integerValue: '1', stringValue: 'x' }), 'is already set'],
  ['a timestamp before the year 1', set({ timestampValue: '0000-12-31T23:59:59Z' }), '0001-01-01'],
  ['a timestamp after the year 9999', set({ timestampValue: '9999-12-31T23:59:59-01:00' }), '9999-12-31'],
  ['an array in an array', set({ arrayValue: { values: [{ arrayValue: {} }] } }), 'array'],
  ['a field without a name', named(''), 'The property.name is the empty string.'],
  ['a field with a reserved name', named('__x__'), 'field name __x__ is reserved'],
  ['a field name over 1,500 bytes', named(LONG), 'The property.name is longer than 1500 bytes.'],
  [
    'a nested field name over 1,500 bytes',
    set({ mapValue: { fields: { [LONG]: { booleanValue: true } } } }),
    'longer than 1500',
  ],
  [
    'a transform of a field name over 1,500 bytes',
    { update, updateTransforms: [increment(LONG)] },
    'longer than 1500',
  ],
  ['a transform of a reserved field', { update, updateTransforms: [increment('__x__')] }, 'is reserved'],
  [
    'a transform of an unquoted path',
    { update, updateTransforms: [increment('max-missing')] },
    'Invalid property path "max-missing". Unquoted',
  ],
  [
    'a mask with an unquoted path',
    { update, updateMask: { fieldPaths: ['a-b'] } },
    'Invalid property path "a-b"',
  ],
  [
    'a mask with an empty segment',
    { update, updateMask: { fieldPaths: ['a..b'] } },
    'Invalid property path "a..b"',
  ],
  ['a mask with an empty path', { update, updateMask: { fieldPaths: [''] } }, 'Invalid empty property path'],
  [
    'an increment by text',
    { update, updateTransforms: [{ fieldPath: 'a', increment: { stringValue: '1' } }] },
    'increment',
  ],
  [
    'a delete with a mask',
    { delete: NAME, updateMask: { fieldPaths: ['a'] } },
    'a delete must not specify a document mask.',
  ],
  [
    'a delete with a transform',
    { delete: NAME, updateTransforms: [increment('a')] },
    'a delete must not specify a update transform.',
  ],
  ['an update that also deletes', { update, delete: NAME }, 'is already set'],
  [
    'a precondition of two conditions',
    { update, currentDocument: { exists: true, updateTime: '2030-01-01T00:00:00Z' } },
    'is already set',
  ],
  ['a write of nothing', {}, 'empty write operation'],
  ['a write to a collection', { update: { name: `${DATABASE}/documents/c` } }, 'lacks "/" at index'],
  [
    'a write to another database',
    { update: { name: 'projects/p/databases/d/documents/c/1' } },
    'is not in the database',
  ],
  [
    'an update of a document that the commit deletes',
    { update, currentDocument: { exists: true } },
    'The same commit deletes',
  ],
];

describe('a commit is refused as a whole for', () => {
  test.each(REFUSED)('%s', async (_title, write, message) => {
    const { post } = await postForTest();
    const other = { update: { name: `${DATABASE}/documents/c/other`, fields: {} } };
    const writes = [other, { delete: NAME }, write];
    expect(await post('commit', { writes })).toEqual({
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) as unknown },
    });
    expect(await post('listCollectionIds', {})).toEqual({});
  });
});

const ACCEPTED: [title: string, writes: object[]][] = [
  ['a reference to another project', [set({ referenceValue: 'projects/p/databases/d/documents/c/1' })]],
  ['the poles', [set({ geoPointValue: { latitude: -90, longitude: 180 } })]],
  ['a field name of 1,500 bytes', [named(LONG.slice(1))]],
  ['a mask with backticks', [{ update, updateMask: { fieldPaths: ['`a-b`'] } }]],
  ['a document that is deleted and set again', [{ delete: NAME }, set({ booleanValue: true })]],
  [
    'a document that is set and updated',
    [set({ booleanValue: true }), { update, currentDocument: { exists: true } }],
  ],
];

test.each(ACCEPTED)('a commit takes %s', async (_title, writes) => {
  const { post } = await postForTest();
  expect(await post('commit', { writes })).toMatchObject({ commitTime: expect.any(String) as unknown });
});

test.each([
  ['an update', { update, currentDocument: { updateTime: '2030-01-01T00:00:00Z' } }],
  ['a delete', { delete: NAME, currentDocument: { updateTime: '2030-01-01T00:00:00Z' } }],
])('%s of a missing document with an update time is FAILED_PRECONDITION', async (_title, write) => {
  const { post } = await postForTest();
  expect(await post('commit', { writes: [write] })).toMatchObject({
    error: {
      status: 'FAILED_PRECONDITION',
      message: expect.stringContaining('the stored version (0)') as unknown,
    },
  });
});
