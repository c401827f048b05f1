import { DocumentReference, type Firestore } from 'firebase-admin/firestore';
import { hasCode } from '../../functions/src/common/error-code.ts';

/**
 * Collections that are never copied. `*` stands for the id of a document. An app may have a collection of the same name
 * in another place, which is copied.
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
  'customers/*/checkout_sessions',
  'usageReports',
  'usageBatches',
  'users/*/sessions',
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
  /** Called with the path of each collection that is left out. */
  onSkipped?: (path: string) => void;
}

/**
 * Copies the documents that the live database lacks. Never changes a document that it has. Idempotent.
 *
 * @returns the paths of the documents that were copied, or that would be
 * @throws Error for a path in a collection that is not copied
 */
export async function copyMissing(options: CopyOptions): Promise<string[]> {
  const refused = placesIn(options.path).find((place) => NOT_COPIED.has(place));
  if (refused !== undefined) throw new Error(`Documents in ${refused} are not copied.`);
  const copied: string[] = [];
  for await (const page of pagesOf(withNested(await documentsAt(options), options), PAGE)) {
    copied.push(...(await copyPage(options, page)));
  }
  return copied;
}

/** The place of each collection in a path, written as in `NOT_COPIED`. `users/u1/sessions/s1` has two. */
function placesIn(path: string): string[] {
  const segments = path.split('/').map((segment, index) => (index % 2 === 0 ? segment : '*'));
  return segments.flatMap((_segment, index) =>
    index % 2 === 0 ? [segments.slice(0, index + 1).join('/')] : [],
  );
}

async function documentsAt({ from, path }: CopyOptions): Promise<DocumentReference[]> {
  const isDocument = path.split('/').length % 2 === 0;
  return isDocument ? [from.doc(path)] : from.collection(path).listDocuments();
}

/** The documents and every one below them, also below a document that does not exist itself. */
async function* withNested(
  documents: readonly DocumentReference[],
  options: CopyOptions,
): AsyncGenerator<DocumentReference> {
  for (let start = 0; start < documents.length; start += PAGE) {
    const page = documents.slice(start, start + PAGE);
    yield* page;
    const below = await Promise.all(page.map((document) => nestedOf(document, options)));
    yield* withNested(below.flat(), options);
  }
}

async function nestedOf(
  document: DocumentReference,
  { onSkipped }: CopyOptions,
): Promise<DocumentReference[]> {
  const lists = (await document.listCollections()).map(async (collection) => {
    const isCopied = !NOT_COPIED.has(placesIn(collection.path).at(-1) ?? '');
    if (!isCopied) onSkipped?.(collection.path);
    return isCopied ? collection.listDocuments() : [];
  });
  return (await Promise.all(lists)).flat();
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
    const data = forLive(to, document.data()) as object;
    const isCopied = !writes || (await createIfAbsent(to.doc(path), data));
    return isCopied ? [path] : [];
  });
  return (await Promise.all(copies)).flat();
}

/** References lead to the live database, because Firestore refuses those to another one. All else stays as it is. */
function forLive(to: Firestore, value: unknown): unknown {
  if (value instanceof DocumentReference) return to.doc(value.path);
  if (Array.isArray(value)) return value.map((item) => forLive(to, item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, forLive(to, item)]));
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

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
