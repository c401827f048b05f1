import * as z from 'zod';
import { logFault, logWarning } from '../common/log.ts';
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
 * Runs a sync for a webhook or task. A sync that meets a damaged document ends and counts as done: a retry would fail
 * until a person has repaired the document. After the repair the reconciliation finds the drift.
 *
 * @throws every error of the work except DamagedDocument
 */
export async function skipIfDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('A damaged document stopped a sync', { path: error.path }, error.cause);
  }
}
