import { collection, doc, onSnapshot, query, where } from 'firebase/firestore';
import type { DocumentReference, Query } from 'firebase/firestore';
import { expect, onTestFinished, test } from 'vitest';
import { serveRules } from './testing.ts';

/**
 * The results of a listener, one by one: the data of a document or of a query's documents, or the code of an error.
 */
function listenTo(target: DocumentReference | Query): () => Promise<string> {
  const told: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  const tell = (value: unknown): void => {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
    const next = waiting.shift();
    if (next) next(text);
    else told.push(text);
  };
  const failed = (error: { code: string }): void => {
    tell(error.code);
  };
  const stop =
    target.type === 'document'
      ? onSnapshot(
          target,
          (snapshot) => {
            tell(snapshot.data());
          },
          failed,
        )
      : onSnapshot(
          target,
          (snapshot) => {
            tell(snapshot.docs.map((found) => found.data()));
          },
          failed,
        );
  onTestFinished(stop);
  return () =>
    new Promise((resolve) => {
      const text = told.shift();
      if (text === undefined) waiting.push(resolve);
      else resolve(text);
    });
}

const RULES = `
match /notes/{id} { allow read: if resource.data.owner == request.auth.uid; }
match /teams/{team}/files/{id} {
  allow list: if exists(/databases/$(database)/documents/teams/$(team)/members/$(request.auth.uid));
}
match /flags/{id} { allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.active; }`;

test('a listener of a document ends when the rules deny it, without the change that caused it', async () => {
  const { client, firestore } = await serveRules(RULES);
  const note = firestore.doc('notes/one');
  await note.set({ owner: 'ada', n: 1 });
  const next = listenTo(doc(client('ada'), 'notes/one'));
  expect(await next()).toBe('{"owner":"ada","n":1}');
  await note.update({ n: 2 });
  expect(await next()).toBe('{"owner":"ada","n":2}');
  await note.set({ owner: 'bob', n: 3 });
  expect(await next()).toBe('permission-denied');
});

test.each([
  ['a document', (client: ReturnType<typeof collection>['firestore']) => doc(client, 'notes/one')],
  ['a query', (client: ReturnType<typeof collection>['firestore']) => collection(client, 'notes')],
])('%s that may not be read is not listened to', async (_name, target) => {
  const { client, firestore } = await serveRules(RULES);
  await firestore.doc('notes/one').set({ owner: 'bob' });
  expect(await listenTo(target(client('ada')))()).toBe('permission-denied');
});

test('a query whose filter satisfies the rules is listened to', async () => {
  const { client, firestore } = await serveRules(RULES);
  const next = listenTo(query(collection(client('ada'), 'notes'), where('owner', '==', 'ada')));
  expect(await next()).toBe('[]');
  await firestore.doc('notes/one').set({ owner: 'ada' });
  expect(await next()).toBe('[{"owner":"ada"}]');
  await firestore.doc('notes/one').delete();
  expect(await next()).toBe('[]');
});

test('a listener ends when a change of a document that the rules read denies it', async () => {
  const { client, firestore } = await serveRules(RULES);
  const member = firestore.doc('teams/red/members/ada');
  const file = firestore.doc('teams/red/files/one');
  await member.set({ role: 'admin' });
  const next = listenTo(collection(client('ada'), 'teams/red/files'));
  expect(await next()).toBe('[]');
  const batch = firestore.batch();
  batch.update(member, { role: 'member' });
  batch.set(file, { n: 1 });
  await batch.commit();
  expect(await next()).toBe('[{"n":1}]');
  const last = firestore.batch();
  last.delete(member);
  last.set(file, { n: 2 });
  await last.commit();
  expect(await next()).toBe('permission-denied');
});

test('other listeners of the stream continue', async () => {
  const { client, firestore } = await serveRules(RULES);
  await firestore.doc('users/ada').set({ active: true });
  const ada = client('ada');
  const notes = listenTo(query(collection(ada, 'notes'), where('owner', '==', 'ada')));
  const flag = listenTo(doc(ada, 'flags/one'));
  expect([await notes(), await flag()]).toEqual(['[]', 'null']);
  const batch = firestore.batch();
  batch.set(firestore.doc('users/ada'), { active: false });
  batch.set(firestore.doc('notes/one'), { owner: 'ada' });
  await batch.commit();
  expect(await flag()).toBe('permission-denied');
  expect(await notes()).toBe('[{"owner":"ada"}]');
});
