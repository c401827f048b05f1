import { AggregateField, Firestore } from '@google-cloud/firestore';
import { status } from '@grpc/grpc-js';
import { initializeApp } from 'firebase/app';
import * as lite from 'firebase/firestore/lite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROJECT, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';

const DATABASE = `projects/${PROJECT}/databases/(default)`;
const ROOT = `/v1/${DATABASE}/documents`;
const OWNER = { authorization: 'Bearer owner' };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3,6})?Z$/;

type Call = (verb: string, path: string, body?: unknown, headers?: object) => Promise<[number, unknown]>;

async function serveRest(): Promise<TestServer & { call: Call }> {
  const test = await serveForTest();
  const call: Call = async (verb, path, body, headers = OWNER) => {
    const response = await fetch(`http://${test.server.host}:${test.server.port}${path}`, {
      method: verb,
      headers: { ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return [response.status, await response.json()];
  };
  return { ...test, call };
}

const named = (path: string, a: string): object => ({
  name: `${DATABASE}/documents/${path}`,
  fields: { a: { integerValue: a } },
  createTime: expect.stringMatching(TIME) as unknown,
  updateTime: expect.stringMatching(TIME) as unknown,
});

const query = { structuredQuery: { from: [{ collectionId: 'c' }] } };

/** Each on a database with c/1 = {a: 1}, c/2 = {a: 2} and c/1/d/3 = {a: 3}. */
const ANSWERS: [verb: string, path: string, body: unknown, answer: unknown][] = [
  ['GET', '/c/1', undefined, named('c/1', '1')],
  ['GET', '/c/1?mask.fieldPaths=x&mask.fieldPaths=a&key=unused&$alt=json', undefined, named('c/1', '1')],
  [
    'GET',
    '/c?pageSize=1',
    undefined,
    { documents: [named('c/1', '1')], nextPageToken: expect.any(String) as unknown },
  ],
  ['GET', '/c/1/d', undefined, { documents: [named('c/1/d/3', '3')] }],
  ['POST', '/c?documentId=new', { fields: { a: { integerValue: 7 } } }, named('c/new', '7')],
  ['POST', '/c/1/d?documentId=new', { fields: { a: { integerValue: 7 } } }, named('c/1/d/new', '7')],
  ['PATCH', '/c/1?updateMask.fieldPaths=a', { fields: { a: { integerValue: '5' } } }, named('c/1', '5')],
  ['PATCH', '/c/1?current_document.exists=true', { fields: { a: { integerValue: '5' } } }, named('c/1', '5')],
  ['DELETE', '/c/1', undefined, {}],
  ['POST', ':listCollectionIds', {}, { collectionIds: ['c'] }],
  ['POST', '/c/1:listCollectionIds', '', { collectionIds: ['d'] }],
  ['POST', ':beginTransaction', {}, { transaction: expect.any(String) as unknown }],
  [
    'POST',
    ':batchGet',
    { documents: [`${DATABASE}/documents/c/2`, `${DATABASE}/documents/c/9`] },
    [
      { found: named('c/2', '2'), readTime: expect.stringMatching(TIME) as unknown },
      { missing: `${DATABASE}/documents/c/9`, readTime: expect.stringMatching(TIME) as unknown },
    ],
  ],
  ['POST', ':runQuery', query, [{ document: named('c/1', '1') }, { document: named('c/2', '2') }]],
  [
    'POST',
    '/c/1:runQuery',
    { structuredQuery: { from: [{ collectionId: 'd' }] } },
    [{ document: named('c/1/d/3', '3') }],
  ],
  [
    'POST',
    ':runAggregationQuery',
    { structuredAggregationQuery: { ...query, aggregations: [{ count: {}, alias: 'n' }] } },
    [{ result: { aggregateFields: { n: { integerValue: '2' } } } }],
  ],
  [
    'POST',
    ':commit',
    { writes: [{ delete: `${DATABASE}/documents/c/1` }] },
    { commitTime: expect.stringMatching(TIME) as unknown },
  ],
  [
    'POST',
    ':batchWrite?%24alt=json%3Benum-encoding%3Dint',
    { writes: [{ delete: `${DATABASE}/documents/c/1`, currentDocument: { exists: false } }] },
    { status: [{ code: 6 }] },
  ],
];

/** Each with the status that the body names too. */
const REFUSALS: [verb: string, path: string, body: unknown, code: number, status: string][] = [
  ['GET', '/c/9', undefined, 404, 'NOT_FOUND'],
  ['GET', '', undefined, 404, 'NOT_FOUND'],
  ['POST', ':listen', {}, 404, 'NOT_FOUND'],
  ['GET', '/c/__x__', undefined, 400, 'INVALID_ARGUMENT'],
  ['GET', '/c/%E0%A4%A', undefined, 400, 'INVALID_ARGUMENT'],
  ['GET', '/c/1?nmask=a', undefined, 400, 'INVALID_ARGUMENT'],
  ['POST', '/c?documentId=1', {}, 409, 'ALREADY_EXISTS'],
  ['POST', ':commit', '{', 400, 'INVALID_ARGUMENT'],
  ['POST', ':commit', '[]', 400, 'INVALID_ARGUMENT'],
  ['POST', ':commit', { rites: [] }, 400, 'INVALID_ARGUMENT'],
  ['POST', ':commit', { transaction: 'AAAA' }, 400, 'INVALID_ARGUMENT'],
];

async function fill({ firestore }: TestServer): Promise<void> {
  for (const [path, a] of Object.entries({ 'c/1': 1, 'c/2': 2, 'c/1/d/3': 3 })) {
    await firestore.doc(path).set({ a });
  }
}

describe('REST', () => {
  test.each(ANSWERS)('%s %s', async (verb, path, body, answer) => {
    const rest = await serveRest();
    await fill(rest);
    const [status, json] = await rest.call(verb, ROOT + path, body);
    expect(json).toMatchObject(answer as object);
    expect(status).toBe(200);
  });

  test.each(REFUSALS)('%s %s is refused', async (verb, path, body, code, status) => {
    const rest = await serveRest();
    await fill(rest);
    const [answered, json] = await rest.call(verb, ROOT + path, body);
    expect(json).toEqual({ error: { code, status, message: expect.any(String) as unknown } });
    expect(answered).toBe(code);
  });

  test('a method that streams answers an error in a list', async () => {
    const { call } = await serveRest();
    const [code, json] = await call('POST', `${ROOT}:runQuery`, { structuredQuery: { limit: -1 } });
    expect([code, json]).toMatchObject([400, [{ error: { status: 'INVALID_ARGUMENT' } }]]);
  });

  test.each([
    ['nobody', {}],
    ['an end user', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
  ])('%s passes the same gate as over gRPC', async (_name, headers) => {
    const { call } = await serveRest();
    expect(await call('GET', `${ROOT}/c/1`, undefined, headers)).toMatchObject([
      403,
      { error: { status: 'PERMISSION_DENIED' } },
    ]);
  });

  test('browsers may call from every origin', async () => {
    const { server } = await serveRest();
    const url = `http://${server.host}:${server.port}${ROOT}:commit`;
    const headers = {
      origin: 'http://app.test',
      'access-control-request-headers': 'authorization,x-goog-api-client',
    };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-goog-api-client');
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...OWNER, origin: 'http://app.test' },
      body: '{}',
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://app.test');
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  });
});

test('the lite client SDK reads, writes, queries and runs transactions', async () => {
  const { server, firestore } = await serveForTest();
  const client = lite.getFirestore(initializeApp({ projectId: PROJECT }, 'lite'));
  lite.connectFirestoreEmulator(client, server.host, server.port, { mockUserToken: 'owner' });
  onTestFinished(() => lite.terminate(client));
  const collection = lite.collection(client, 'c');
  const first = lite.doc(collection, 'a b-ü');
  await lite.setDoc(first, { a: 1, at: lite.serverTimestamp(), list: [-0, NaN] });
  await lite.runTransaction(client, async (transaction) => {
    const read = await transaction.get(first);
    transaction.update(first, { a: (read.get('a') as number) + 1 });
  });
  expect((await firestore.doc('c/a b-ü').get()).get('list')).toEqual([-0, NaN]);
  const found = await lite.getDocs(lite.query(collection, lite.where('a', '==', 2), lite.limit(5)));
  expect(found.docs.map(({ id }) => id)).toEqual(['a b-ü']);
  expect((await lite.getCount(collection)).data().count).toBe(1);
  await expect(lite.updateDoc(lite.doc(collection, 'none'), { a: 1 })).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('the Admin SDK works over REST when it prefers that', async () => {
  const { firestore } = await serveForTest();
  // It looks for credentials of the machine, though it needs none for an emulator.
  const auth = { getClient: () => Promise.resolve({ universeDomain: 'googleapis.com' }), fetch };
  const rest = new Firestore({ projectId: PROJECT, preferRest: true, auth });
  onTestFinished(() => rest.terminate());
  await rest.doc('c/1').set({ a: 1, at: new Date(5), big: 2 ** 40 });
  await rest.runTransaction(async (transaction) => {
    const read = await transaction.get(rest.collection('c').where('a', '==', 1));
    transaction.update(rest.doc('c/1'), { a: read.size + 1 });
  });
  expect((await firestore.doc('c/1').get()).data()).toEqual((await rest.doc('c/1').get()).data());
  const sums = await rest
    .collection('c')
    .aggregate({ total: AggregateField.sum('big') })
    .get();
  expect(sums.data().total).toBe(2 ** 40);
  await expect(rest.doc('c/1').create({})).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
});
