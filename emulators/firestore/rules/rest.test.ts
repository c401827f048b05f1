import { describe, expect, test } from 'vitest';
import { DATABASE } from '../testing.ts';
import { serveRules } from './testing.ts';
import type { RulesServer } from './testing.ts';

const RULES = `
match /open/{id} { allow read, write: if true; }
match /closed/{id} { allow read, write: if false; }`;

const name = (path: string): string => `${DATABASE}/documents/${path}`;
const update = (path: string): object => ({ update: { name: name(path), fields: {} } });
const queryOf = (collectionId: string): object => ({
  structuredQuery: { from: [{ collectionId, allDescendants: true }] },
});

/** Sends a request that only REST and server SDKs send, without a signed-in user. */
async function post({ server }: RulesServer, method: string, body: object): Promise<Response> {
  const route = `http://${server.host}:${server.port}/v1/${DATABASE}/documents:${method}`;
  return fetch(route, { method: 'POST', body: JSON.stringify(body) });
}

describe('end users of REST', () => {
  test.each<[string, number, string, object]>([
    ['get several documents', 200, 'batchGet', { documents: [name('open/1'), name('open/2')] }],
    ['are denied all of them for one', 403, 'batchGet', { documents: [name('open/1'), name('closed/1')] }],
    ['write several documents', 200, 'batchWrite', { writes: [update('open/1'), update('open/2')] }],
    ['are denied all writes for one', 403, 'batchWrite', { writes: [update('open/1'), update('closed/1')] }],
    ['verify what they may read', 200, 'commit', { writes: [{ verify: name('open/1') }] }],
    ['may not find out by verifying', 403, 'commit', { writes: [{ verify: name('closed/1') }] }],
    ['may not list collections', 403, 'listCollectionIds', {}],
    [
      'are denied partitions of what they may not list',
      403,
      'partitionQuery',
      { ...queryOf('closed'), partitionCount: 2 },
    ],
    ['are denied a query', 403, 'runQuery', queryOf('closed')],
  ])('%s: %i', async (_name, status, method, body) => {
    const served = await serveRules(RULES);
    expect((await post(served, method, body)).status).toBe(status);
    if (status === 403) expect((await served.firestore.collection('open').get()).empty).toBe(true);
  });

  test('are denied a write before its precondition is checked', async () => {
    const served = await serveRules(RULES);
    const writes = [{ ...update('closed/1'), currentDocument: { exists: true } }];
    expect((await post(served, 'commit', { writes })).status).toBe(403);
  });

  test.each<[condition: string, orderBy: string | undefined, status: number]>([
    ["'a' in request.query.orderBy", undefined, 403],
    ['request.query.orderBy.size() == 0', undefined, 200],
    ["request.query.orderBy.b == 'DESC' && !('__name__' in request.query.orderBy)", 'b', 200],
    ['request.query.offset == 0', undefined, 200],
  ])(
    'are evaluated with the orders that the query has: %s, ordered by %s',
    async (condition, orderBy, status) => {
      const served = await serveRules(`match /c/{id} { allow list: if ${condition}; }`);
      const where = {
        fieldFilter: { field: { fieldPath: 'a' }, op: 'GREATER_THAN', value: { integerValue: 1 } },
      };
      const orders =
        orderBy === undefined ? [] : [{ field: { fieldPath: orderBy }, direction: 'DESCENDING' }];
      const structuredQuery = { from: [{ collectionId: 'c' }], where, orderBy: orders };
      expect((await post(served, 'runQuery', { structuredQuery })).status).toBe(status);
    },
  );

  test.each<[method: string, body: object, text: string]>([
    [
      'batchGet',
      { documents: [name('notes/1')] },
      "\nfalse for 'get' @ L4, evaluation error at L5:17 for 'get' @ L5, " +
        "false for 'get' @ L4, Null value error. for 'get' @ L5",
    ],
    [
      'commit',
      { writes: [update('notes/1')] },
      "\nfalse for 'create' @ L6, evaluation error at L7:19 for 'update' @ L7, false for 'create' @ L6",
    ],
    ['commit', { writes: [{ delete: name('notes/1') }] }, 'No matching allow statements'],
    ['runQuery', queryOf('notes'), 'No matching allow statements'],
  ])('get the reasons of the official emulator: %s %j', async (method, body, text) => {
    const served = await serveRules(`match /notes/{id} {
 allow get: if request.auth != null;
 allow read: if resource.data.isOpen;
 allow create: if false;
 allow update: if resource.data.isOpen; }`);
    const answer: unknown = await (await post(served, method, body)).json();
    const error = { code: 403, message: text, status: 'PERMISSION_DENIED' };
    expect([answer].flat()).toEqual([{ error }]);
  });

  test('leave no locks behind when a read is denied', async () => {
    const served = await serveRules(RULES, { timeouts: { lock: 100 } });
    const request = { documents: [name('closed/1')], newTransaction: { readWrite: {} } };
    expect((await post(served, 'batchGet', request)).status).toBe(403);
    await served.firestore.doc('closed/1').set({});
  });

  test('are evaluated in the past state that they read', async () => {
    const served = await serveRules('match /c/{id} { allow get: if resource.data.isOpen; }');
    const past = (await served.firestore.doc('c/1').create({ isOpen: true })).writeTime;
    await served.firestore.doc('c/1').set({ isOpen: false });
    const request = { documents: [name('c/1')] };
    expect((await post(served, 'batchGet', request)).status).toBe(403);
    const readTime = `${past.toDate().toISOString().slice(0, -4)}${String(past.nanoseconds).padStart(9, '0')}Z`;
    expect((await post(served, 'batchGet', { ...request, readTime })).status).toBe(200);
  });
});
