import { GeoPoint, Timestamp } from 'firebase-admin/firestore';
import { expect, inject, test } from 'vitest';
import { adminFirestore } from './support/people.ts';

const { inbox } = inject('stack').urls;

async function read(path: string, pageToken?: string): Promise<Record<string, unknown>> {
  const query = new URLSearchParams({ path, ...(pageToken !== undefined && { pageToken }) });
  const response = await fetch(`${inbox}/api/data?${query.toString()}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const ROOM = `dataPage-${crypto.randomUUID()}`;

test('shows every kind of value of a document, its nested collections and when it was written', async () => {
  const document = adminFirestore().doc(`${ROOM}/all kinds`);
  const other = adminFirestore().doc('teams/one');
  const { writeTime } = await document.set({
    bytes: Buffer.from('hi'),
    list: [1, ['nested in a map' as unknown].length, { deep: true }],
    map: { b: 1.5, a: null },
    point: new GeoPoint(1, 2),
    reference: other,
    text: '<b>bold</b>',
    time: Timestamp.fromMillis(0),
  });
  await document.collection('nested').doc('x').set({});
  expect(await read(`${ROOM}/all kinds`)).toEqual({
    kind: 'document',
    collections: ['nested'],
    document: {
      path: `${ROOM}/all kinds`,
      updatedAt: expect.stringContaining(writeTime.toDate().toISOString().slice(0, 19)) as string,
      fields: [
        { name: 'bytes', value: { kind: 'bytes', text: 'aGk=' } },
        {
          name: 'list',
          value: {
            kind: 'list',
            items: [
              { kind: 'number', text: '1' },
              { kind: 'number', text: '1' },
              { kind: 'map', fields: [{ name: 'deep', value: { kind: 'boolean', text: 'true' } }] },
            ],
          },
        },
        {
          name: 'map',
          value: {
            kind: 'map',
            fields: [
              { name: 'a', value: { kind: 'null', text: 'null' } },
              { name: 'b', value: { kind: 'number', text: '1.5' } },
            ],
          },
        },
        { name: 'point', value: { kind: 'point', text: '1, 2' } },
        { name: 'reference', value: { kind: 'reference', text: 'teams/one', path: 'teams/one' } },
        { name: 'text', value: { kind: 'text', text: '<b>bold</b>' } },
        { name: 'time', value: { kind: 'time', text: '1970-01-01T00:00:00Z' } },
      ],
    },
  });
  expect((await read(''))['collections']).toContain(ROOM);
});

test('pages through a collection, with documents that only have nested collections', async () => {
  const collection = `${ROOM}-many`;
  const batch = adminFirestore().batch();
  for (let n = 0; n < 60; n++) batch.set(adminFirestore().doc(`${collection}/${n + 100}`), { n });
  batch.set(adminFirestore().doc(`${collection}/missing/nested/x`), {});
  await batch.commit();
  const first = await read(collection);
  expect(first['documents']).toHaveLength(50);
  const second = await read(collection, String(first['next']));
  expect(second['documents']).toHaveLength(11);
  expect(second['next']).toBeNull();
  expect(second['documents']).toContainEqual({ path: `${collection}/missing`, updatedAt: null, fields: [] });
});

test('a place without anything is empty', async () => {
  expect(await read(`${ROOM}-nothing`)).toEqual({ kind: 'collection', documents: [], next: null });
  expect(await read(`${ROOM}-nothing/here`)).toMatchObject({
    document: { updatedAt: null, fields: [] },
    collections: [],
  });
});

test('a page token that Firestore refuses is an error', async () => {
  const response = await fetch(`${inbox}/api/data?path=${ROOM}&pageToken=wrong`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: 'The emulators do not answer, or refuse this.' });
});
