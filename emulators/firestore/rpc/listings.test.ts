import { expect, test } from 'vitest';
import { PROJECT, serveForTest } from '../testing.ts';

interface Listing {
  readonly documents?: readonly { readonly name: string }[];
  readonly nextPageToken?: string;
}

const INVALID = 400;

async function serveItems(): Promise<(query: string) => Promise<{ status: number; listing: Listing }>> {
  const { server, firestore } = await serveForTest();
  const ranks = { a: 2, b: 1, c: 2, d: 3 };
  for (const [id, rank] of Object.entries(ranks)) await firestore.doc(`items/${id}`).set({ rank });
  await firestore.doc('items/without').set({});
  const documents = `http://${server.host}:${server.port}/v1/projects/${PROJECT}/databases/(default)/documents`;
  return async (query) => {
    const response = await fetch(`${documents}/items?${query}`, {
      headers: { authorization: 'Bearer owner' },
    });
    return { status: response.status, listing: (await response.json()) as Listing };
  };
}

const idsOf = ({ documents = [] }: Listing): string[] =>
  documents.map(({ name }) => name.slice(name.lastIndexOf('/') + 1));

test.each([
  ['rank', ['b', 'a', 'c', 'd']],
  ['rank desc', ['d', 'c', 'a', 'b']],
  ['rank desc, __name__ asc', ['d', 'a', 'c', 'b']],
  ['__name__ desc', ['without', 'd', 'c', 'b', 'a']],
])('documents are listed in the order %j, page by page', async (order, expected) => {
  const list = await serveItems();
  const seen: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const { listing } = await list(`orderBy=${encodeURIComponent(order)}&pageSize=2&pageToken=${token}`);
    seen.push(...idsOf(listing));
    token = listing.nextPageToken === '' ? undefined : listing.nextPageToken;
  }
  expect(seen).toEqual(expected);
});

test.each([
  ['an order that is none', 'orderBy=rank+up'],
  ['an order of missing documents', 'orderBy=rank&showMissing=true'],
  ['a page token of nowhere', 'orderBy=rank&pageToken=eA%3D%3D'],
])('%s is refused', async (_name, query) => {
  const list = await serveItems();
  expect((await list(query)).status).toBe(INVALID);
});

test.each([
  ['a page token that is no token', 'pageToken=abc'],
  ['a negative page size', 'pageSize=-1'],
  ['a page token that is no token, in an order', 'orderBy=rank&pageToken=abc'],
])('%s is refused', async (_name, query) => {
  const list = await serveItems();
  expect((await list(query)).status).toBe(INVALID);
});

test('the last page has no token', async () => {
  const list = await serveItems();
  expect((await list('pageSize=100')).listing).not.toHaveProperty('nextPageToken');
});
