import { firestoreRules } from '@hearth/security-rules/testing';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectFirestoreEmulator, getFirestore, terminate } from 'firebase/firestore';
import type { Firestore } from 'firebase/firestore';
import { field, and, execute, or, sum } from 'firebase/firestore/pipelines';
import type { Pipeline } from 'firebase/firestore/pipelines';
import { expect, onTestFinished, test } from 'vitest';
import type { FirestoreServer } from '../server.ts';
import { PROJECT, serveForTest } from '../testing.ts';

const RULES = `
match /notes/{id} {
  allow get: if resource.data.owner == request.auth.uid;
  allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 10;
}
match /open/{id} { allow list; }
match /{path=**}/comments/{id} { allow list: if resource.data.public == true; }
`;

/** The client of a user. That of rules-unit-testing has no pipelines. */
function clientOf({ host, port }: FirestoreServer, uid: string): Firestore {
  const app = initializeApp({ projectId: PROJECT }, crypto.randomUUID());
  const client = getFirestore(app);
  connectFirestoreEmulator(client, host, port, { mockUserToken: { user_id: uid } });
  onTestFinished(async () => {
    await terminate(client);
    await deleteApp(app);
  });
  return client;
}

const own = (client: Firestore): Pipeline =>
  client.pipeline().collection('notes').where(field('owner').equal('ada'));

const PIPELINES: [title: string, expected: string, build: (client: Firestore) => Pipeline][] = [
  ['a filter and a limit that prove the rules', 'allowed', (client) => own(client).limit(5)],
  [
    'a filter within AND',
    'allowed',
    (client) =>
      client
        .pipeline()
        .collection('notes')
        .where(and(field('owner').equal('ada'), field('n').add(1).greaterThan(0)))
        .limit(5),
  ],
  ['stages after the proof', 'allowed', (client) => own(client).limit(5).aggregate(sum('n').as('n'))],
  ['no limit', 'denied', own],
  ['a limit after another stage', 'denied', (client) => own(client).select('owner').limit(5)],
  ['no filter', 'denied', (client) => client.pipeline().collection('notes').limit(5)],
  [
    'the filter of another user',
    'denied',
    (client) => client.pipeline().collection('notes').where(field('owner').equal('bob')).limit(5),
  ],
  [
    'a filter that only one part of OR has',
    'denied',
    (client) =>
      client
        .pipeline()
        .collection('notes')
        .where(or(field('owner').equal('ada'), field('n').equal(1)))
        .limit(5),
  ],
  ['an open collection', 'allowed', (client) => client.pipeline().collection('open')],
  [
    'a union with what is denied',
    'denied',
    (client) => client.pipeline().collection('open').union(client.pipeline().collection('notes')),
  ],
  ['own documents', 'allowed', (client) => client.pipeline().documents(['notes/a'])],
  ['documents of others', 'denied', (client) => client.pipeline().documents(['notes/a', 'notes/b'])],
  [
    'a collection group',
    'allowed',
    (client) => client.pipeline().collectionGroup('comments').where(field('public').equal(true)),
  ],
  ['the whole database', 'denied', (client) => client.pipeline().database()],
];

test.each(PIPELINES)('%s: %s', async (_title, expected, build) => {
  const { server, firestore } = await serveForTest({ rules: firestoreRules(RULES) });
  await firestore.doc('notes/a').set({ owner: 'ada', n: 1 });
  await firestore.doc('notes/b').set({ owner: 'bob', n: 1 });
  const outcome = await execute(build(clientOf(server, 'ada'))).then(
    () => 'allowed',
    (error: unknown) => (error as { code: string }).code,
  );
  expect(outcome).toBe(expected === 'allowed' ? 'allowed' : 'permission-denied');
});
