import { invalidArgument } from '../errors.ts';

/** The database of a resource name, `projects/P/databases/D`, and the path below its `documents`. */
export interface ResourcePath {
  readonly database: string;
  /** Slash-separated, without a leading slash; empty for the root. */
  readonly path: string;
}

const RESOURCE = /^(projects\/[^/]+\/databases\/[^/]+)\/documents(?:\/(.*))?$/s;
const RESERVED_ID = /^__.+__$/s;
const MAX_ID_BYTES = 1_500;
const MAX_SEGMENTS = 100;

/** Splits a full resource name. Throws INVALID_ARGUMENT for a name of another shape. */
export function parseResource(name: string): ResourcePath {
  const match = RESOURCE.exec(name);
  if (match?.[1] === undefined) {
    throw invalidArgument(
      `Resource name "${name}" does not match "projects/<project>/databases/<database>/documents/...".`,
    );
  }
  return { database: match[1], path: match[2] ?? '' };
}

/** The path of a document, relative to the database. Throws INVALID_ARGUMENT unless it names one. */
export function parseDocumentName(name: string): ResourcePath {
  const resource = parseResource(name);
  const segments = resource.path.split('/');
  if (resource.path === '' || segments.length % 2 !== 0) {
    throw invalidArgument(`Document name "${name}" lacks "/" at index ${name.length}.`);
  }
  assertSegments(name, segments);
  return resource;
}

/** Throws INVALID_ARGUMENT for a name of another database. */
export function assertInDatabase(resource: ResourcePath, database: string): void {
  if (resource.database === database) return;
  throw invalidArgument(
    `The request was for database '${database}' but was attempting to access database '${resource.database}'`,
  );
}

/** A parent of collections: the root (empty path) or a document. */
export function parseParent(name: string): ResourcePath {
  const resource = parseResource(name);
  return resource.path === '' ? resource : parseDocumentName(name);
}

const DATABASE = /^projects\/[^/]+\/databases\/[^/]+$/;

export function parseDatabaseName(name: string): string {
  if (!DATABASE.test(name)) {
    throw invalidArgument(
      `Database name "${name}" does not match "projects/<project>/databases/<database>".`,
    );
  }
  return name;
}

function assertSegments(name: string, segments: readonly string[]): void {
  if (segments.length > MAX_SEGMENTS) {
    throw invalidArgument(`Document name "${name}" has more than ${MAX_SEGMENTS} path segments.`);
  }
  for (const segment of segments) assertId(segment);
}

/**
 * Checks a collection or document id:
 * https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
 */
export function assertId(id: string): void {
  if (id === '') throw invalidArgument('Resource id "" is invalid because it is empty.');
  if (id === '.' || id === '..')
    throw invalidArgument(`Resource id "${id}" is invalid because it is reserved.`);
  if (Buffer.byteLength(id) > MAX_ID_BYTES) {
    throw invalidArgument(`Resource id "${id.slice(0, 40)}…" is longer than ${MAX_ID_BYTES} bytes.`);
  }
  if (RESERVED_ID.test(id) && !/^__id-?\d+__$/.test(id)) {
    throw invalidArgument(`Resource id "${id}" is invalid because it is reserved.`);
  }
}

/** Checks a collection id. Throws INVALID_ARGUMENT. */
export function assertCollectionId(id: string): void {
  if (id.includes('/')) throw invalidArgument(`Collection id "${id}" is invalid because it contains "/".`);
  assertId(id);
}

export const documentName = (database: string, path: string): string => `${database}/documents/${path}`;
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const childPath = (parent: string, child: string): string =>
  parent === '' ? child : `${parent}/${child}`;
/** True for `path` itself being anywhere below `ancestor`; everything is below the root. */
export const isBelow = (path: string, ancestor: string): boolean =>
  ancestor === '' || path.startsWith(`${ancestor}/`);
