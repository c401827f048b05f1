import {
  addDoc,
  Bytes,
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  getCountFromServer,
  getDoc,
  getDocs,
  GeoPoint,
  limit,
  orderBy,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  updateDoc,
  where,
  writeBatch,
} from 'firebase/firestore';
import type { Firestore } from 'firebase/firestore';
import { describe, expect, test } from 'vitest';
import { serveRules } from './testing.ts';

const RULES = `
function at(path) { return /databases/$(database)/documents/$(path); }
match /notes/{id} {
  allow get, delete: if resource.data.owner == request.auth.uid;
  allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 10;
  allow create: if request.resource.data.owner == request.auth.uid && request.resource.data.at == request.time;
  allow update: if resource.data.owner == request.auth.uid
    && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['text', 'n'])
    && request.resource.data.get('n', 0) <= resource.data.get('n', 0) + 1;
}
match /missing/{id} { allow get: if resource == null; }
match /accounts/{id} {
  allow update: if existsAfter(/databases/$(database)/documents/entries/$(request.resource.data.last))
    && !exists(/databases/$(database)/documents/entries/$(request.resource.data.last));
  allow get: if true;
}
match /entries/{id} {
  allow create: if getAfter(/databases/$(database)/documents/accounts/$(request.resource.data.account)).data.total
    == get(/databases/$(database)/documents/accounts/$(request.resource.data.account)).data.total
      + request.resource.data.amount;
}
match /teams/{team}/files/{id} {
  allow read: if exists(/databases/$(database)/documents/teams/$(team)/members/$(request.auth.uid));
}
match /{path=**}/comments/{id} { allow list: if resource.data.public == true; }
`;

const DOCUMENTS: Record<string, object> = {
  'notes/ada': { owner: 'ada', text: 'hers', n: 1 },
  'notes/bob': { owner: 'bob', text: 'his' },
  'accounts/main': { total: 10 },
  'teams/red/members/ada': {},
  'teams/red/files/one': { name: 'one' },
  'notes/ada/comments/one': { public: true },
  'notes/bob/comments/two': { public: false },
};

type Attempt = (client: Firestore) => Promise<unknown>;

const notes = (client: Firestore) => collection(client, 'notes');
const own = (client: Firestore) => query(notes(client), where('owner', '==', 'ada'), limit(10));
const note = (more: object = {}) => ({ owner: 'ada', at: serverTimestamp(), text: 'new', ...more });

function transfer(client: Firestore, amount: number, total: number): Promise<void> {
  const batch = writeBatch(client);
  batch.update(doc(client, 'accounts/main'), { total, last: 'e1' });
  batch.set(doc(client, 'entries/e1'), { account: 'main', amount });
  return batch.commit();
}

async function attemptAsAda(attempt: Attempt): Promise<string> {
  const { client, firestore } = await serveRules(RULES);
  await Promise.all(Object.entries(DOCUMENTS).map(([path, data]) => firestore.doc(path).set(data)));
  return attempt(client('ada')).then(
    () => 'allowed',
    (error: unknown) => (error as { code: string }).code,
  );
}

describe('allowed:', () => {
  test.each<[string, Attempt]>([
    ['a get', (client) => getDoc(doc(client, 'notes/ada'))],
    ['a get of a document that is not there', (client) => getDoc(doc(client, 'missing/one'))],
    ['a get by a document of the team', (client) => getDoc(doc(client, 'teams/red/files/one'))],
    ['a query that its filter proves', (client) => getDocs(own(client))],
    ['a query with an order', (client) => getDocs(query(own(client), orderBy('text', 'desc')))],
    ['a query by a document of the team', (client) => getDocs(collection(client, 'teams/red/files'))],
    ['an aggregation', (client) => getCountFromServer(own(client))],
    [
      'a collection group',
      (client) => getDocs(query(collectionGroup(client, 'comments'), where('public', '==', true))),
    ],
    ['a create with the time of the request', (client) => addDoc(notes(client), note())],
    ['an update of a field', (client) => updateDoc(doc(client, 'notes/ada'), { text: 'x', n: 2 })],
    ['a merge', (client) => setDoc(doc(client, 'notes/ada'), { text: 'x' }, { merge: true })],
    ['a delete', (client) => deleteDoc(doc(client, 'notes/ada'))],
    ['a batch that holds together', (client) => transfer(client, 5, 15)],
    [
      'a create and an update of it in one batch',
      (client) => {
        const created = doc(client, 'notes/new');
        return writeBatch(client).set(created, note()).update(created, { text: 'y' }).commit();
      },
    ],
    [
      'a transaction',
      (client) =>
        runTransaction(client, async (transaction) => {
          const read = await transaction.get(doc(client, 'notes/ada'));
          await transaction.get(doc(client, 'accounts/main'));
          transaction.update(read.ref, { n: (read.get('n') as number) + 1 });
        }),
    ],
  ])('%s', async (_name, attempt) => {
    expect(await attemptAsAda(attempt)).toBe('allowed');
  });
});

describe('denied:', () => {
  test.each<[string, Attempt]>([
    ["a get of somebody else's document", (client) => getDoc(doc(client, 'notes/bob'))],
    ['a get that needs a document', (client) => getDoc(doc(client, 'notes/none'))],
    ['a get by a document that is not there', (client) => getDoc(doc(client, 'teams/blue/files/one'))],
    ['a query that could find more', (client) => getDocs(query(notes(client), limit(10)))],
    ['a query without the limit', (client) => getDocs(query(notes(client), where('owner', '==', 'ada')))],
    ['an aggregation that could count more', (client) => getCountFromServer(notes(client))],
    ['a whole collection group', (client) => getDocs(collectionGroup(client, 'comments'))],
    ['a create for somebody else', (client) => addDoc(notes(client), note({ owner: 'bob' }))],
    ['a create with another time', (client) => addDoc(notes(client), note({ at: new Date(0) }))],
    ['an update of another field', (client) => updateDoc(doc(client, 'notes/ada'), { owner: 'bob' })],
    ['an update beyond a bound', (client) => updateDoc(doc(client, 'notes/ada'), { n: 3 })],
    ['a replacement', (client) => setDoc(doc(client, 'notes/ada'), { text: 'x' })],
    ["a delete of somebody else's document", (client) => deleteDoc(doc(client, 'notes/bob'))],
    ['an update of what is not there', (client) => updateDoc(doc(client, 'notes/none'), { text: 'x' })],
    ['a batch that does not add up', (client) => transfer(client, 5, 16)],
    [
      'a whole batch for one of its writes',
      (client) =>
        writeBatch(client)
          .update(doc(client, 'notes/ada'), { text: 'x' })
          .update(doc(client, 'notes/bob'), { text: 'x' })
          .commit(),
    ],
    [
      'a read in a transaction',
      (client) => runTransaction(client, (transaction) => transaction.get(doc(client, 'notes/bob'))),
    ],
    [
      'a write in a transaction',
      (client) =>
        runTransaction(client, async (transaction) => {
          const read = await transaction.get(doc(client, 'notes/ada'));
          transaction.update(read.ref, { n: 99 });
        }),
    ],
  ])('%s', async (_name, attempt) => {
    expect(await attemptAsAda(attempt)).toBe('permission-denied');
  });
});

test('a denied write changes nothing', async () => {
  const { client, firestore } = await serveRules('match /ok/{id} { allow write: if true; }');
  const ada = client('ada');
  const attempt = writeBatch(ada).set(doc(ada, 'ok/one'), {}).set(doc(ada, 'other/one'), {}).commit();
  await expect(attempt).rejects.toMatchObject({ code: 'permission-denied' });
  expect(await firestore.listCollections()).toEqual([]);
});

test('a denial has the line and the reason', async () => {
  const { client } = await serveRules(
    'match /c/{id} {\n allow get: if false;\n allow read: if resource.data.a == 1; }',
  );
  await expect(getDoc(doc(client(), 'c/one'))).rejects.toThrow(
    "\nfalse for 'get' @ L4, evaluation error at L5:17 for 'get' @ L5, false for 'get' @ L4, Null value error. for 'get' @ L5",
  );
  await expect(setDoc(doc(client(), 'c/one'), {})).rejects.toThrow('No matching allow statements');
});

test('rules do not apply to administrators', async () => {
  const { environment, firestore } = await serveRules('match /c/{id} { allow read, write: if false; }');
  await firestore.doc('c/one').set({ a: 1 });
  await environment.withSecurityRulesDisabled(async (context) => {
    expect((await context.firestore().doc('c/one').get()).data()).toEqual({ a: 1 });
  });
});

test('the documents that rules read are counted as reads, each once for a request', async () => {
  const { client, server } = await serveRules(`
match /c/{id} { allow write: if exists(/databases/$(database)/documents/a/x)
  || exists(/databases/$(database)/documents/a/x) || existsAfter(/databases/$(database)/documents/c/one); }`);
  await setDoc(doc(client(), 'c/one'), {});
  const usage = await fetch(`http://${server.host}:${server.port}/emulator/v1/projects/demo-test:usage`);
  expect(await usage.json()).toMatchObject({ reads: 2, writes: 1 });
});

test('rules see every type of value', async () => {
  const { client } = await serveRules(`
match /c/{id} { allow create: if request.resource.data.keys().hasOnly(['n', 't', 'i', 'f', 's', 'b', 'at', 'r', 'g', 'l', 'm'])
  && request.resource.data.n == null && request.resource.data.t == true
  && request.resource.data.i is int && request.resource.data.i == 9007199254740991
  && request.resource.data.f is float && request.resource.data.f == 1.5 && request.resource.data.s == 'text'
  && request.resource.data.b is bytes && request.resource.data.b.toBase64() == 'AQI='
  && request.resource.data.at == timestamp.value(1600000000123)
  && request.resource.data.r == /databases/$(database)/documents/c/other
  && request.resource.data.g is latlng && request.resource.data.g.latitude() == 1.5
  && request.resource.data.l == [1, 'two'] && request.resource.data.m.a.b == 1; }`);
  const target = doc(client(), 'c/one');
  await setDoc(target, {
    n: null,
    t: true,
    i: Number.MAX_SAFE_INTEGER,
    f: 1.5,
    s: 'text',
    b: Bytes.fromUint8Array(new Uint8Array([1, 2])),
    at: new Date(1_600_000_000_123),
    r: doc(target.firestore, 'c/other'),
    g: new GeoPoint(1.5, 2),
    l: [1, 'two'],
    m: { a: { b: 1 } },
  });
});
