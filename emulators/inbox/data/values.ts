import { z } from 'zod';

/** A value of a document as the data page shows it. */
export type Shown =
  | { kind: 'text' | 'number' | 'boolean' | 'null' | 'time' | 'bytes' | 'point'; text: string }
  /** `text` is the path below the documents of the database; empty for another database. */
  | { kind: 'reference'; text: string; path: string }
  | { kind: 'list'; items: Shown[] }
  | { kind: 'map'; fields: ShownField[] };

export interface ShownField {
  name: string;
  value: Shown;
}

const fieldsSchema = z.record(z.string(), z.unknown()).default({});

const valueSchema = z.object({
  stringValue: z.string().optional(),
  integerValue: z.string().optional(),
  doubleValue: z.union([z.number(), z.string()]).optional(),
  booleanValue: z.boolean().optional(),
  timestampValue: z.string().optional(),
  bytesValue: z.string().optional(),
  referenceValue: z.string().optional(),
  geoPointValue: z.object({ latitude: z.number().default(0), longitude: z.number().default(0) }).optional(),
  arrayValue: z.object({ values: z.array(z.unknown()).default([]) }).optional(),
  mapValue: z.object({ fields: fieldsSchema }).optional(),
});

/** The fields of a document in Firestore's JSON, in the order of their names. */
export function shownFields(fields: unknown): ShownField[] {
  return Object.entries(fieldsSchema.parse(fields))
    .map(([name, value]) => ({ name, value: shown(value) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** https://cloud.google.com/firestore/docs/reference/rest/v1/Value */
function shown(json: unknown): Shown {
  const value = valueSchema.parse(json);
  if (value.arrayValue !== undefined) return { kind: 'list', items: value.arrayValue.values.map(shown) };
  if (value.mapValue !== undefined) return { kind: 'map', fields: shownFields(value.mapValue.fields) };
  if (value.referenceValue !== undefined) return reference(value.referenceValue);
  return scalar(value);
}

function scalar(value: z.output<typeof valueSchema>): Shown {
  const number = value.integerValue ?? value.doubleValue;
  if (value.stringValue !== undefined) return { kind: 'text', text: value.stringValue };
  if (number !== undefined) return { kind: 'number', text: String(number) };
  if (value.booleanValue !== undefined) return { kind: 'boolean', text: String(value.booleanValue) };
  if (value.timestampValue !== undefined) return { kind: 'time', text: value.timestampValue };
  if (value.bytesValue !== undefined) return { kind: 'bytes', text: value.bytesValue };
  if (value.geoPointValue !== undefined) {
    const { latitude, longitude } = value.geoPointValue;
    return { kind: 'point', text: `${latitude}, ${longitude}` };
  }
  return { kind: 'null', text: 'null' };
}

function reference(name: string): Shown {
  const path = pathOf(name);
  return { kind: 'reference', text: path === '' ? name : path, path };
}

/** The path of a document below the documents of its database. */
export function pathOf(name: string): string {
  return /^projects\/[^/]+\/databases\/\(default\)\/documents\/(.+)$/.exec(name)?.[1] ?? '';
}
