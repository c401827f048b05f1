import type { DocumentData, DocumentReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import * as z from 'zod';
import { DamagedDocument } from './damage.ts';

/**
 * Copies a stored document by `fromStored`, and parses the copy. Fields that the schema does not name are left out.
 *
 * @returns the document, or a DamagedDocument, which is not thrown
 */
export function parseDocument<Doc>(
  schema: z.core.$ZodType<Doc>,
  path: string,
  data: DocumentData,
): Doc | DamagedDocument {
  const fields = fieldsOf(data);
  const result = z.safeParse(schema, fields);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path: field, message }) => `${field.join('.')}: ${message}`);
  return new DamagedDocument(path, problems.join('; '), fields);
}

function fieldsOf(data: DocumentData): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, fromStored(value)]));
}

/**
 * A reference to a document, as a plain value. Two DocumentPaths with the same path are deeply equal, unlike two
 * DocumentReferences of the client.
 */
export class DocumentPath {
  /** Path from the root of the database, such as `products/prod_1`. */
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  toJSON(): string {
    return this.path;
  }
}

/** Copies a stored value, with a Date for every Timestamp and a DocumentPath for every reference. */
export function fromStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isTimestamp(value)) return value.toDate();
  if (isReference(value)) return new DocumentPath(value.path);
  return mapParts(value, fromStored);
}

/** Copies a value to be stored, with a DocumentReference for every DocumentPath. The client stores Dates itself. */
export function toStored(firestore: Firestore, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof DocumentPath) return firestore.doc(value.path);
  return mapParts(value, (part) => toStored(firestore, part));
}

/** Copies a list or map with changed parts. Objects of a class stay as they are. */
function mapParts(value: object, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (isOfClass(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}

/** False for a plain map. The keys do not decide: a stored map may itself have a key named `toDate`. */
function isOfClass(value: object): boolean {
  return Object.getPrototypeOf(value) !== Object.prototype;
}

/** Recognizes a Timestamp without the Firestore client, which loads slowly. */
function isTimestamp(value: object): value is Timestamp {
  return isOfClass(value) && 'toDate' in value && 'toMillis' in value;
}

/** Among the objects that the client puts into documents, only a reference has a `firestore`. */
function isReference(value: object): value is DocumentReference {
  return isOfClass(value) && 'firestore' in value && 'path' in value;
}
