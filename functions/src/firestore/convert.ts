import type { DocumentData, Timestamp } from 'firebase-admin/firestore';
import type * as z from 'zod';
import { logWarning } from '../common/log.ts';
import { Refusal } from '../refusals.ts';

/**
 * A stored document that its schema does not accept: an admin, another program or an older version wrote it. A route
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
 * Parses a stored document. Every Timestamp becomes a Date; fields that the schema does not name are left out.
 *
 * @throws DamagedDocument
 */
export function parseDocument<Doc>(schema: z.ZodType<Doc>, path: string, data: DocumentData): Doc {
  const result = schema.safeParse(withDates(data));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path: field, message }) => `${field.join('.')}: ${message}`);
  throw new DamagedDocument(path, problems.join('; '));
}

/** The result of a read, or the damage of its document as a value. */
export async function orDamaged<Doc>(read: Promise<Doc>): Promise<Doc | DamagedDocument> {
  return read.catch((error: unknown) => {
    if (error instanceof DamagedDocument) return error;
    throw error;
  });
}

/** The result of `read`, or undefined if it reads a damaged document, which the log names. */
export async function unlessDamaged<Result>(
  read: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logWarning(`Skipped the damaged document ${error.path}`, error);
    return undefined;
  }
}

/** Copies a value with a Date for every Timestamp. References and other objects of the client stay as they are. */
export function withDates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isTimestamp(value)) return value.toDate();
  if (Array.isArray(value)) return value.map(withDates);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDates(inner)]));
}

/** Recognizes a Timestamp without loading the Firestore client, which is slow. */
function isTimestamp(value: object): value is Timestamp {
  return 'toDate' in value && 'toMillis' in value;
}
