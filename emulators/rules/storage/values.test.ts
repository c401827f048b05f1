import { describe, expect, test } from 'vitest';
import {
  bool,
  bytes,
  duration,
  float,
  int,
  latlng,
  list,
  map,
  NULL,
  path,
  string,
  timestamp,
  type Value,
} from '../value.ts';
import { readDocumentFields, readExpressionValue } from './values.ts';

describe("the CLI's variables", () => {
  test.each<[unknown, Value]>([
    [{ null_value: null }, NULL],
    [{ null_value: 0 }, NULL],
    [{ bool_value: false }, bool(false)],
    [{ int_value: 5242880 }, int(5242880)],
    [{ int_value: '9223372036854775807' }, int(2n ** 63n - 1n)],
    [{ float_value: 1.5 }, float(1.5)],
    [{ string_value: 'a' }, string('a')],
    [{ bytes_value: 'YWI=' }, bytes(Buffer.from('ab'))],
    [{ timestamp_value: '2024-02-29T12:34:56.789Z' }, timestamp(1_709_210_096_789_000_000n)],
    [{ duration_value: { seconds: 1, nanos: 2 } }, duration(1_000_000_002n)],
    [{ latlng_value: { latitude: 1, longitude: 2 } }, latlng(1, 2)],
    [
      { path_value: { segments: [{ simple: 'b' }, { variable_name: 'x', bound_value: 'c' }] } },
      path(['b', 'c']),
    ],
    [{ list_value: { values: [{ int_value: 1 }] } }, list([int(1)])],
    [{ list_value: {} }, list([])],
    [
      { set_value: { values: [{ int_value: 1 }, { int_value: 1 }] } },
      { type: 'set', items: new Map([['int:1', int(1)]]) },
    ],
    [{ map_value: { fields: { a: { map_value: {} } } } }, map({ a: map({}) })],
  ])('%j', (json, value) => {
    expect(readExpressionValue(json)).toEqual(value);
  });

  test.each([
    [{ constraint_value: {} }],
    [{}],
    [null],
    [{ int_value: 1.5 }],
    [{ timestamp_value: 'today' }],
    [{ toString: 1 }],
  ])('refuses %j', (json) => {
    expect(() => readExpressionValue(json)).toThrow();
  });
});

describe("a document's fields", () => {
  test.each<[object, Value]>([
    [{ nullValue: null }, NULL],
    [{ booleanValue: true }, bool(true)],
    [{ integerValue: '-7' }, int(-7)],
    [{ doubleValue: 2 }, float(2)],
    [{ doubleValue: 'Infinity' }, float(Infinity)],
    [{ stringValue: 'a' }, string('a')],
    [{ bytesValue: 'YWI=' }, bytes(Buffer.from('ab'))],
    [{ timestampValue: '1969-12-31T23:59:59.999999999Z' }, timestamp(-1n)],
    [{ timestampValue: '2024-02-29T13:34:56.000000001+01:00' }, timestamp(1_709_210_096_000_000_001n)],
    [{ geoPointValue: { latitude: 1 } }, latlng(1, 0)],
    [
      { referenceValue: 'projects/p/databases/(default)/documents/a/b' },
      path(['databases', '(default)', 'documents', 'a', 'b']),
    ],
    [{ arrayValue: { values: [{ stringValue: 'a' }] } }, list([string('a')])],
    [{ arrayValue: {} }, list([])],
    [{ mapValue: { fields: { b: { booleanValue: false } } } }, map({ b: bool(false) })],
    [{ mapValue: {} }, map({})],
  ])('%j', (json, value) => {
    expect(readDocumentFields({ field: json })).toEqual(map({ field: value }));
  });

  test('may be empty', () => {
    expect(readDocumentFields(undefined)).toEqual(map({}));
  });
});
