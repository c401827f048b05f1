import type { DocumentData, DocumentReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import * as z from 'zod';
import { logWarning } from '../common/log.ts';
import { Refusal } from '../refusals/refusals.ts';

/**
 * A stored document that does not match its schema. An operator, another program or an older version wrote it. The log
 * has the path and the problem.
 */
export class DamagedDocument extends Refusal {
  readonly path: string;
  /** Private, so that no log shows them. */
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(path: string, problem: string, fields: Readonly<Record<string, unknown>> = {}) {
    super('document_damaged', {}, { cause: new Error(`${path} is damaged: ${problem}`) });
    this.path = path;
    this.#fields = fields;
  }

  /** One field of the document; undefined if the field is missing or is itself damaged. */
  field<Value>(name: string, schema: z.core.$ZodType<Value>): Value | undefined {
    const result = z.safeParse(schema, this.#fields[name]);
    return result.success ? result.data : undefined;
  }
}

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

/** @throws DamagedDocument */
export function requireIntact<Doc>(document: Doc | DamagedDocument): Doc {
  if (document instanceof DamagedDocument) throw document;
  return document;
}

/** @returns undefined for a damaged document, which is logged */
export function intactOrLogged<Doc>(document: Doc | DamagedDocument): Doc | undefined {
  logIfDamaged(document);
  return document instanceof DamagedDocument ? undefined : document;
}

export function logIfDamaged(document: unknown): void {
  if (document instanceof DamagedDocument) {
    logWarning(`Found the damaged document ${document.path}`, document);
  }
}

/** Awaits a read. If the read throws a DamagedDocument, returns this error. */
export async function damageAsValue<Result>(read: Promise<Result>): Promise<Result | DamagedDocument> {
  return read.catch((error: unknown) => {
    if (error instanceof DamagedDocument) return error;
    throw error;
  });
}

/** Awaits a read. If the read throws a DamagedDocument, logs this error and returns undefined. */
export async function readIntactOrLogged<Result>(read: Promise<Result>): Promise<Result | undefined> {
  return intactOrLogged(await damageAsValue(read));
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

/** False for a map. Its keys do not show what it is, because a client may have chosen a key such as `toDate`. */
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
