import type { DocumentData, DocumentReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import * as z from 'zod';
import { logWarning } from '../common/log.ts';
import { Refusal } from '../refusals/refusals.ts';

/**
 * A stored document that does not match its schema: an operator, another program or an older version wrote it. A route
 * answers with the refusal `document_damaged`. The log has the path and the problem.
 */
export class DamagedDocument extends Refusal {
  readonly path: string;

  constructor(path: string, problem: string) {
    super('document_damaged', {}, { cause: new Error(`${path} is damaged: ${problem}`) });
    this.path = path;
  }
}

/**
 * Parses a stored document. Every Timestamp becomes a Date, and every reference a DocumentPath. Fields that the schema
 * does not name are left out.
 *
 * @returns the document, or its damage as a value
 */
export function parseDocument<Doc>(
  schema: z.core.$ZodType<Doc>,
  path: string,
  data: DocumentData,
): Doc | DamagedDocument {
  const result = z.safeParse(schema, fromStored(data));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path: field, message }) => `${field.join('.')}: ${message}`);
  return new DamagedDocument(path, problems.join('; '));
}

/** @throws DamagedDocument if the document is damaged */
export function throwIfDamaged<Doc>(document: Doc | DamagedDocument): Doc {
  if (document instanceof DamagedDocument) throw document;
  return document;
}

/** The document; undefined, with a warning in the log, if it is damaged. */
export function intactOrUndefined<Doc>(document: Doc | DamagedDocument): Doc | undefined {
  if (!(document instanceof DamagedDocument)) return document;
  logWarning(`Skipped the damaged document ${document.path}`, document);
  return undefined;
}

/** Returns the result of a read. Returns a DamagedDocument instead of throwing it. */
export async function catchDamage<Result>(read: Promise<Result>): Promise<Result | DamagedDocument> {
  return read.catch((error: unknown) => {
    if (error instanceof DamagedDocument) return error;
    throw error;
  });
}

/** The result of `read`; undefined, with a warning in the log, if it throws DamagedDocument. */
export async function undefinedIfDamaged<Result>(
  read: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  return intactOrUndefined(await catchDamage((async () => read())()));
}

/**
 * A reference to a document, as a plain value instead of a DocumentReference of the client. Two references to one path
 * are deeply equal.
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

/**
 * Copies a value to be stored, with a reference of the client for every DocumentPath. The client stores Dates itself.
 */
export function toStored(firestore: Firestore, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof DocumentPath) return firestore.doc(value.path);
  return mapParts(value, (part) => toStored(firestore, part));
}

/** Copies a list or map with changed parts. Objects of a class stay as they are. */
function mapParts(value: object, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}

/** Recognizes a Timestamp without loading the Firestore client, which is slow. */
function isTimestamp(value: object): value is Timestamp {
  return 'toDate' in value && 'toMillis' in value;
}

/**
 * Recognizes a DocumentReference without loading the Firestore client. No other value in a document has a `firestore`.
 */
function isReference(value: object): value is DocumentReference {
  return Object.getPrototypeOf(value) !== Object.prototype && 'firestore' in value && 'path' in value;
}
