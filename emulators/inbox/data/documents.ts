import { z } from 'zod';
import { askEmulator } from '../emulator.ts';
import type { Sources } from '../sources.ts';
import { pathOf, shownFields, type ShownField } from './values.ts';

/** Documents of a page; the next page follows by its token. */
const PAGE_SIZE = 50;

const documentSchema = z.object({
  name: z.string(),
  fields: z.unknown().optional(),
  updateTime: z.string().optional(),
});

export interface ShownDocument {
  path: string;
  /** When it was last written; null for one that does not exist and has nested collections. */
  updatedAt: string | null;
  fields: ShownField[];
}

/** The contents of a path: the root and each document have collections, a collection has documents. */
export type Place =
  | { kind: 'root'; collections: string[] }
  | { kind: 'collection'; documents: ShownDocument[]; next: string | null }
  | { kind: 'document'; document: ShownDocument; collections: string[] };

/**
 * Reads a place of the local Firestore as an administrator.
 *
 * @param path below the documents of the database; empty for the root
 * @param pageToken of the page before, for a collection
 * @throws Error while Firestore does not answer
 */
export async function readPlace(sources: Sources, path: string, pageToken: string | null): Promise<Place> {
  const segments = path.split('/').filter((segment) => segment !== '');
  const url = documentsUrl(sources, segments);
  if (segments.length === 0) return { kind: 'root', collections: await readCollections(url) };
  if (segments.length % 2 === 1) return readCollection(url, pageToken);
  const [document, collections] = await Promise.all([readDocument(url, path), readCollections(url)]);
  return { kind: 'document', document, collections };
}

function documentsUrl({ firestore, projectId }: Sources, segments: readonly string[]): string {
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
  return `http://${firestore}/v1/projects/${projectId}/databases/(default)/documents${path}`;
}

async function readCollections(url: string): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const answer = await askEmulator(`${url}:listCollectionIds`, {
      pageSize: 300,
      ...(pageToken && { pageToken }),
    });
    const page = z
      .object({ collectionIds: z.array(z.string()).default([]), nextPageToken: z.string().optional() })
      .parse(answer);
    ids.push(...page.collectionIds);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined && pageToken !== '');
  return ids.sort();
}

async function readCollection(url: string, pageToken: string | null): Promise<Place> {
  const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), showMissing: 'true' });
  if (pageToken !== null) query.set('pageToken', pageToken);
  const { documents, nextPageToken } = z
    .object({ documents: z.array(documentSchema).default([]), nextPageToken: z.string().default('') })
    .parse((await askEmulator(`${url}?${query.toString()}`)) ?? {});
  return {
    kind: 'collection',
    documents: documents.map(shownDocument),
    next: nextPageToken === '' ? null : nextPageToken,
  };
}

async function readDocument(url: string, path: string): Promise<ShownDocument> {
  const answer = await askEmulator(url);
  return answer === undefined
    ? { path, updatedAt: null, fields: [] }
    : shownDocument(documentSchema.parse(answer));
}

function shownDocument({
  name,
  fields,
  updateTime = null,
}: {
  name: string;
  fields?: unknown;
  updateTime?: string | null | undefined;
}): ShownDocument {
  return { path: pathOf(name), updatedAt: updateTime, fields: shownFields(fields) };
}
