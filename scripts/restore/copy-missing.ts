import type { DocumentReference, Firestore } from 'firebase-admin/firestore';
import { hasCode } from '../../functions/src/common/error-code.ts';
import { fromStored, toStored } from '../../functions/src/firestore/convert.ts';

/**
 * Collections that are never copied, wherever they are:
 *
 * - A new document in `mail`, `pushes`, `planChanges` or `checkout_sessions` starts a function, which would send again.
 * - A report in `usageReports` or `usageBatches` would be billed again.
 * - A document in `sessions` or `devices` would sign in a browser that was signed out, or send messages to it.
 * - The others are the present state of sweeps, events and limits.
 */
export const NOT_COPIED: ReadonlySet<string> = new Set([
  'mail',
  'pushes',
  'planChanges',
  'checkout_sessions',
  'usageReports',
  'usageBatches',
  'sessions',
  'devices',
  'sweeps',
  'stripeEvents',
  'rateLimits',
]);

/** The code of gRPC for a document that exists already. */
const ALREADY_EXISTS = 6;

/** Documents that are read and written at the same time. */
const PAGE = 100;

export interface CopyOptions {
  /** The database that still has the documents. */
  from: Firestore;
  /** The live database. */
  to: Firestore;
  /** The path of a collection or document. Everything below it is copied too. */
  path: string;
  /** False for a dry run, which writes nothing. */
  writes: boolean;
}

/**
 * Copies the documents that the live database lacks. Never changes a document that it has. Idempotent.
 *
 * @returns the paths of the documents that were copied, or that would be
 * @throws Error for a path in a collection that is not copied
 */
export async function copyMissing(options: CopyOptions): Promise<string[]> {
  const refused = collectionsIn(options.path).find((name) => NOT_COPIED.has(name));
  if (refused !== undefined) throw new Error(`Documents in ${refused} are not copied.`);
  const copied: string[] = [];
  for await (const page of pagesOf(documentsUnder(options.from, options.path), PAGE)) {
    copied.push(...(await copyPage(options, page)));
  }
  return copied;
}

/** The names of the collections in a path: every other segment. */
function collectionsIn(path: string): string[] {
  return path.split('/').filter((_segment, index) => index % 2 === 0);
}

/** Every document at and below a path, also below a document that does not exist itself. */
async function* documentsUnder(database: Firestore, path: string): AsyncGenerator<DocumentReference> {
  const isDocument = path.split('/').length % 2 === 0;
  if (isDocument) yield* withNested(database.doc(path));
  else for (const document of await database.collection(path).listDocuments()) yield* withNested(document);
}

async function* withNested(document: DocumentReference): AsyncGenerator<DocumentReference> {
  yield document;
  for (const { id, path } of await document.listCollections()) {
    if (!NOT_COPIED.has(id)) yield* documentsUnder(document.firestore, path);
  }
}

async function* pagesOf<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function copyPage({ from, to, writes }: CopyOptions, page: DocumentReference[]): Promise<string[]> {
  const live = await to.getAll(...page.map(({ path }) => to.doc(path)));
  const absent = new Set(live.filter(({ exists }) => !exists).map(({ ref }) => ref.path));
  const missing = page.filter(({ path }) => absent.has(path));
  if (missing.length === 0) return [];
  const found = (await from.getAll(...missing)).filter(({ exists }) => exists);
  const copies = found.map(async (document) => {
    const { path } = document.ref;
    // References lead to the live database then. Firestore refuses those to another one.
    const data = toStored(to, fromStored(document.data())) as object;
    const isCopied = !writes || (await createIfAbsent(to.doc(path), data));
    return isCopied ? [path] : [];
  });
  return (await Promise.all(copies)).flat();
}

/** @returns false if somebody has created the document in the meantime */
async function createIfAbsent(document: DocumentReference, data: object): Promise<boolean> {
  try {
    await document.create(data);
    return true;
  } catch (error) {
    if (hasCode(error, ALREADY_EXISTS)) return false;
    throw error;
  }
}
