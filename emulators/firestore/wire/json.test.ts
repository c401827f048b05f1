import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';
import { serviceDescriptor } from './schema.ts';

const type = (name: string) => serviceDescriptor().root.lookupType(`google.firestore.v1.${name}`);
const NAMES = { numericEnums: false };

const scalar = fc.oneof(
  fc.constant({ nullValue: 'NULL_VALUE' }),
  fc.boolean().map((booleanValue) => ({ booleanValue })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ integerValue: String(value) })),
  fc.double().map((doubleValue) => ({ doubleValue })),
  fc.string({ unit: 'binary' }).map((stringValue) => ({ stringValue })),
  fc.uint8Array().map((bytes) => ({ bytesValue: Buffer.from(bytes) })),
  fc
    .record({
      seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }).map(String),
      nanos: fc.nat({ max: 999_999_999 }),
    })
    .map((timestampValue) => ({ timestampValue })),
  fc.record({ latitude: fc.double(), longitude: fc.double() }).map((geoPointValue) => ({ geoPointValue })),
);
const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'null_value'));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { minLength: 1 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.tuple(name, tie('value')), { minLength: 1 })
      .map((entries) => ({ mapValue: { fields: Object.fromEntries(entries) } })),
  ),
}));

test('every value is unchanged after encoding as JSON text and decoding', () => {
  fc.assert(
    fc.property(value, (message) => {
      const json = JSON.stringify(encodeJson(type('Value'), message, NAMES));
      expect(decodeJson(type('Value'), JSON.parse(json))).toEqual(message);
    }),
  );
});

describe('messages', () => {
  test.each<[string, string, unknown, object]>([
    [
      'names of the proto',
      'Write',
      { current_document: { exists: true } },
      { currentDocument: { exists: true } },
    ],
    ['null as unset', 'Document', { name: null }, {}],
    ['enums by number', 'StructuredQuery.Order', { direction: 2 }, { direction: 'DESCENDING' }],
    ['wrapped numbers', 'StructuredQuery', { limit: 5 }, { limit: { value: 5 } }],
    ['int64 as a number', 'Value', { integerValue: 7 }, { integerValue: '7' }],
    ['int32 as text', 'Target', { targetId: '7' }, { targetId: 7 }],
    [
      'base64 for URLs without padding',
      'Value',
      { bytesValue: '_-8' },
      { bytesValue: Buffer.from([255, 239]) },
    ],
    [
      'null beside a member of the oneof',
      'Value',
      { booleanValue: true, stringValue: null },
      { booleanValue: true },
    ],
    ['null values by number', 'Value', { nullValue: 0 }, { nullValue: 'NULL_VALUE' }],
    [
      'timestamps with an offset',
      'Precondition',
      { updateTime: '1970-01-01T01:00:00.5+01:00' },
      { updateTime: { seconds: '0', nanos: 500_000_000 } },
    ],
  ])('read %s', (_name, message, json, expected) => {
    expect(decodeJson(type(message), json)).toEqual(expected);
  });

  test.each<[string, string, unknown]>([
    ['a name that no field has', 'Document', { nmae: 'x' }],
    ['a name of every object', 'Document', { constructor: {} }],
    ['a number for text', 'Document', { name: 1 }],
    ['a list for a message', 'Document', { fields: [] }],
    ['a message for a list', 'ArrayValue', { values: {} }],
    ['text that is no integer', 'Value', { integerValue: '1.5' }],
    ['an integer beyond int64', 'Value', { integerValue: '9223372036854775808' }],
    ['an integer beyond int32', 'Target', { targetId: 2_147_483_648 }],
    ['text that is no number', 'Value', { doubleValue: 'one' }],
    ['an unknown enum value', 'StructuredQuery.Order', { direction: 'UPWARDS' }],
    ['a time without a zone', 'Value', { timestampValue: '2030-01-01T00:00:00' }],
    ['text that is not base64', 'Value', { bytesValue: 'a!' }],
    ['base64 that is cut off', 'Value', { bytesValue: 'AAAAA' }],
    ['two members of a oneof', 'Value', { booleanValue: true, stringValue: 'x' }],
    ['a day that no month has', 'Value', { timestampValue: '2030-13-01T00:00:00Z' }],
  ])('refuse %s', (_name, message, json) => {
    expect(() => decodeJson(type(message), json)).toThrow(/^Invalid JSON payload received\./);
  });

  test('are written as the proto mapping says', () => {
    const change = {
      targetChange: { targetChangeType: 'ADD', targetIds: [], readTime: { seconds: 0, nanos: 1_000 } },
    };
    const time = '1970-01-01T00:00:00.000001Z';
    expect(encodeJson(type('ListenResponse'), change, NAMES)).toEqual({
      targetChange: { targetChangeType: 'ADD', readTime: time },
    });
    expect(encodeJson(type('ListenResponse'), change, { numericEnums: true })).toEqual({
      targetChange: { targetChangeType: 1, readTime: time },
    });
  });
});
