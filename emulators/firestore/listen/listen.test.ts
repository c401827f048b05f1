import type { Query, QuerySnapshot } from '@google-cloud/firestore';
import { expect, onTestFinished, test, describe } from 'vitest';
import { DATABASE, ManualClock, PROJECT, serveForTest } from '../testing.ts';
import { RawStream, resumeTokenOf, summaryOf } from './testing.ts';

const HOUR_MS = 3_600_000;

/** The next snapshots of a query, one by one. */
function snapshotsOf(query: Query): () => Promise<QuerySnapshot> {
  const waiting: ((snapshot: QuerySnapshot) => void)[] = [];
  const arrived: QuerySnapshot[] = [];
  const stop = query.onSnapshot((snapshot) => {
    const next = waiting.shift();
    if (next) next(snapshot);
    else arrived.push(snapshot);
  });
  onTestFinished(stop);
  return () =>
    new Promise((resolve) => {
      const snapshot = arrived.shift();
      if (snapshot) resolve(snapshot);
      else waiting.push(resolve);
    });
}

const ids = (snapshot: QuerySnapshot): string => snapshot.docs.map(({ ref }) => ref.path).join(' ');

describe('the Admin SDK', () => {
  test('sees one snapshot for a commit of many writes', async () => {
    const { firestore } = await serveForTest();
    const next = snapshotsOf(firestore.collection('c').where('a', '>', 0));
    expect(ids(await next())).toBe('');
    const batch = firestore.batch();
    for (const id of ['1', '2', '3']) batch.set(firestore.doc(`c/${id}`), { a: Number(id) });
    await batch.commit();
    expect(ids(await next())).toBe('c/1 c/2 c/3');
    const second = firestore.batch();
    second.update(firestore.doc('c/1'), { a: 0 });
    second.delete(firestore.doc('c/2'));
    second.set(firestore.doc('c/4'), { a: 9 });
    await second.commit();
    const changed = await next();
    expect(ids(changed)).toBe('c/3 c/4');
    expect(changed.docChanges().map(({ type, doc }) => `${type} ${doc.id}`)).toEqual([
      'removed 1',
      'removed 2',
      'added 4',
    ]);
  });

  test.each<[string, (query: Query) => Query, string[]]>([
    ['a limit', (query) => query.orderBy('a').limit(2), ['c/1 c/2', 'c/0 c/1', 'c/1 c/2']],
    ['limitToLast', (query) => query.orderBy('a').limitToLast(2), ['c/2 c/3']],
    ['an offset', (query) => query.orderBy('a').offset(2), ['c/3', 'c/2 c/3', 'c/3']],
  ])('sees a window move: %s', async (_name, narrow, expected) => {
    const { firestore } = await serveForTest();
    for (const id of ['1', '2', '3']) await firestore.doc(`c/${id}`).set({ a: Number(id) });
    const next = snapshotsOf(narrow(firestore.collection('c')));
    const seen = [ids(await next())];
    await firestore.doc('c/0').set({ a: 0 });
    if (expected.length > 1) seen.push(ids(await next()));
    await firestore.doc('c/0').delete();
    if (expected.length > 1) seen.push(ids(await next()));
    expect(seen).toEqual(expected);
  });

  test('sees collection groups and only the selected fields', async () => {
    const { firestore } = await serveForTest();
    const next = snapshotsOf(firestore.collectionGroup('g').select('a'));
    await next();
    await firestore.doc('x/y/g/1').set({ a: 1, b: 2 });
    const snapshot = await next();
    expect(ids(snapshot)).toBe('x/y/g/1');
    expect(snapshot.docs[0]?.data()).toEqual({ a: 1 });
  });

  test('sees a document appear, change and disappear, and the database cleared', async () => {
    const { server, firestore } = await serveForTest();
    const seen: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const clear = `http://${server.host}:${server.port}/emulator/v1/${DATABASE}/documents`;
    const steps = [
      () => firestore.doc('c/1').set({ a: 1 }),
      () => firestore.doc('c/1').set({ a: 2 }),
      () => firestore.doc('c/1').delete(),
      () => firestore.doc('c/1').set({ a: 3 }),
      () => fetch(clear, { method: 'DELETE' }),
    ];
    const stop = firestore.doc('c/1').onSnapshot((snapshot) => {
      seen.push(snapshot.data());
      const step = steps.shift();
      if (step) void step();
      else resolve(undefined);
    });
    onTestFinished(stop);
    await promise;
    expect(seen).toEqual([undefined, { a: 1 }, { a: 2 }, undefined, { a: 3 }, undefined]);
  });
});

const queryTarget = (targetId: number, structuredQuery: object, rest: object = {}): object => ({
  addTarget: { targetId, query: { parent: `${DATABASE}/documents`, structuredQuery }, ...rest },
});
const documentTarget = (targetId: number, path: string): object => ({
  addTarget: { targetId, documents: { documents: [`${DATABASE}/documents/${path}`] } },
});
const all = { from: [{ collectionId: 'c' }] };
const positive = {
  ...all,
  where: { fieldFilter: { field: { fieldPath: 'a' }, op: 'GREATER_THAN', value: { integerValue: '0' } } },
};

describe('a stream', () => {
  test('sends each document once for several targets, and each commit as a snapshot', async () => {
    const { server, firestore } = await serveForTest();
    const stream = new RawStream(server, 'Listen');
    await firestore.doc('c/1').set({ a: 1 });
    stream.send(queryTarget(1, all));
    expect(summaryOf(await stream.snapshot())).toEqual([
      'ADD 1',
      'documentChange c/1 in 1',
      'CURRENT 1',
      'NO_CHANGE',
    ]);
    stream.send(documentTarget(2, 'c/2'));
    expect(summaryOf(await stream.snapshot())).toEqual([
      'ADD 2',
      'documentDelete c/2 out of 2',
      'CURRENT 2',
      'NO_CHANGE',
    ]);
    stream.send(queryTarget(3, positive));
    await stream.snapshot();
    const batch = firestore.batch();
    batch.set(firestore.doc('c/1'), { a: 0 });
    batch.set(firestore.doc('c/2'), { a: 2 });
    batch.set(firestore.doc('elsewhere/1'), {});
    await batch.commit();
    expect(summaryOf(await stream.snapshot())).toEqual([
      'documentChange c/1 in 1 out of 3',
      'documentChange c/2 in 1,2,3',
      'NO_CHANGE',
    ]);
    stream.send({ removeTarget: 1 });
    expect(summaryOf(await stream.until(() => true))).toEqual(['REMOVE 1']);
    await firestore.doc('c/2').set({ a: 0 });
    expect(summaryOf(await stream.snapshot())).toEqual(['documentChange c/2 in 2 out of 3', 'NO_CHANGE']);
  });

  test('does not show the new value of a document that left a query', async () => {
    const { server, firestore } = await serveForTest();
    await firestore.doc('c/1').set({ a: 1 });
    const stream = new RawStream(server, 'Listen');
    stream.send(queryTarget(1, positive));
    await stream.snapshot();
    await firestore.doc('c/1').set({ a: 0, secret: true });
    expect(summaryOf(await stream.snapshot())).toEqual(['documentRemove c/1 out of 1', 'NO_CHANGE']);
  });

  test('resumes from a token with the changes, and a count to check', async () => {
    const { server, firestore } = await serveForTest();
    for (const id of ['1', '2', '3']) await firestore.doc(`c/${id}`).set({ a: 1 });
    const first = new RawStream(server, 'Listen');
    first.send(queryTarget(1, positive));
    const resumeToken = resumeTokenOf(await first.snapshot());
    await firestore.doc('c/1').delete();
    await firestore.doc('c/2').set({ a: 0 });
    await firestore.doc('c/4').set({ a: 1 });
    const second = new RawStream(server, 'Listen');
    second.send(queryTarget(7, positive, { resumeToken }));
    expect(summaryOf(await second.snapshot())).toEqual([
      'ADD 7',
      'documentDelete c/1 out of 7',
      'documentRemove c/2 out of 7',
      'documentChange c/4 in 7',
      'filter 2',
      'CURRENT 7',
      'NO_CHANGE',
    ]);
  });

  test('starts again when the resume token is older than the history', async () => {
    const clock = new ManualClock();
    const { server, firestore } = await serveForTest({ clock });
    await firestore.doc('c/1').set({ a: 1 });
    const first = new RawStream(server, 'Listen');
    first.send(queryTarget(1, all));
    const resumeToken = resumeTokenOf(await first.snapshot());
    clock.advance(HOUR_MS + 1);
    const second = new RawStream(server, 'Listen');
    second.send(queryTarget(1, all, { resumeToken }));
    expect(summaryOf(await second.snapshot())).toEqual([
      'ADD 1',
      'RESET 1',
      'documentChange c/1 in 1',
      'filter 1',
      'CURRENT 1',
      'NO_CHANGE',
    ]);
  });

  test('ends a target that was asked for once', async () => {
    const { server } = await serveForTest();
    const stream = new RawStream(server, 'Listen');
    stream.send(queryTarget(4, all, { once: true }));
    expect(summaryOf(await stream.until((message) => summaryOf([message])[0] === 'REMOVE 4'))).toEqual([
      'ADD 4',
      'CURRENT 4',
      'NO_CHANGE',
      'REMOVE 4',
    ]);
  });

  test.each([
    ['an invalid query', 'owner', { ...all, limit: { value: -1 } }, 3],
    ['an end user', 'eyJhbGciOiJub25lIn0.e30.', all, 7],
  ])('refuses the target of %s alone, with its cause', async (_name, token, query, code) => {
    const { server } = await serveForTest();
    const stream = new RawStream(server, 'Listen', token);
    stream.send(queryTarget(1, query));
    const [message] = await stream.until(() => true);
    expect(message).toMatchObject({
      targetChange: { targetChangeType: 'REMOVE', targetIds: [1], cause: { code } },
    });
  });

  test.each([
    ['a target id in use', [queryTarget(1, all), queryTarget(1, all)]],
    ['a request without a target', [{}]],
    [
      'a second database',
      [queryTarget(1, all), { database: `projects/${PROJECT}/databases/b`, removeTarget: 1 }],
    ],
  ])('ends with INVALID_ARGUMENT after %s', async (_name, requests) => {
    const { server } = await serveForTest();
    const stream = new RawStream(server, 'Listen');
    for (const request of requests) stream.send(request);
    await expect(stream.until(() => false)).rejects.toMatchObject({ code: 3 });
  });
});
