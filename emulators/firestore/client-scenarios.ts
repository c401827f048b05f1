import type { FirebaseApp } from 'firebase/app';
import type * as Sdk from 'firebase/firestore';
import { expect, onTestFinished } from 'vitest';
import { PROJECT, serveForTest } from './testing.ts';
import type { TestServer } from './testing.ts';

/** A build of the client SDK, and how it makes an app. */
export interface ClientSdk {
  readonly sdk: typeof Sdk;
  readonly initializeApp: (options: { projectId: string }, name: string) => FirebaseApp;
}

let apps = 0;

/** A server with a client SDK beside the Admin SDK, as an administrator unless a user's token is given. */
export async function connectForTest(
  { sdk, initializeApp }: ClientSdk,
  user?: { sub: string },
): Promise<TestServer & { client: Sdk.Firestore }> {
  const test = await serveForTest();
  const client = sdk.initializeFirestore(initializeApp({ projectId: PROJECT }, `app-${apps++}`), {});
  sdk.connectFirestoreEmulator(client, test.server.host, test.server.port, {
    mockUserToken: user ?? 'owner',
  });
  onTestFinished(() => sdk.terminate(client));
  return { ...test, client };
}

/**
 * Collects the results of a query until they are as expected: `id=a` for each document, followed by `*` while a write
 * of it is pending.
 */
function shown(sdk: typeof Sdk, query: Sdk.Query): { readonly until: (wanted: string) => Promise<string[]> } {
  const seen: string[] = [];
  let check = (): void => undefined;
  const stop = sdk.onSnapshot(query, { includeMetadataChanges: true }, (snapshot) => {
    const state = snapshot.docs
      .map((entry) => `${entry.id}=${String(entry.get('a'))}${entry.metadata.hasPendingWrites ? '*' : ''}`)
      .join(' ');
    seen.push(snapshot.metadata.fromCache ? `cached ${state}` : state);
    check();
  });
  onTestFinished(stop);
  return {
    until: (wanted) =>
      new Promise((resolve) => {
        check = () => {
          if (seen.at(-1) === wanted) resolve(seen.splice(0));
        };
        check();
      }),
  };
}

async function showsWrites(loaded: ClientSdk): Promise<void> {
  const { sdk } = loaded;
  const { client, firestore } = await connectForTest(loaded);
  const view = shown(sdk, sdk.query(sdk.collection(client, 'c'), sdk.where('a', '>', 0)));
  await view.until('');
  await sdk.setDoc(sdk.doc(client, 'c/1'), { a: 1 });
  expect(await view.until('1=1')).toContain('1=1*');
  await firestore.doc('c/2').set({ a: 2 });
  expect(await view.until('1=1 2=2')).toEqual(['1=1 2=2']);
  const batch = sdk.writeBatch(client);
  batch.delete(sdk.doc(client, 'c/1'));
  batch.update(sdk.doc(client, 'c/2'), { a: sdk.increment(5) });
  await batch.commit();
  await view.until('2=7');
}

async function refillsWindows(loaded: ClientSdk): Promise<void> {
  const { sdk } = loaded;
  const { client, firestore } = await connectForTest(loaded);
  for (const id of ['1', '2', '3', '4']) await firestore.doc(`c/${id}`).set({ a: Number(id) });
  const collection = sdk.collection(client, 'c');
  const first = shown(sdk, sdk.query(collection, sdk.orderBy('a'), sdk.limit(2)));
  const last = shown(sdk, sdk.query(collection, sdk.orderBy('a'), sdk.limitToLast(2)));
  await Promise.all([first.until('1=1 2=2'), last.until('3=3 4=4')]);
  await firestore.doc('c/1').delete();
  await firestore.doc('c/4').delete();
  await Promise.all([first.until('2=2 3=3'), last.until('2=2 3=3')]);
}

async function worksOffline(loaded: ClientSdk): Promise<void> {
  const { sdk } = loaded;
  const { client, firestore } = await connectForTest(loaded);
  await firestore.doc('c/1').set({ a: 1 });
  await firestore.doc('c/2').set({ a: 2 });
  const view = shown(sdk, sdk.collection(client, 'c'));
  await view.until('1=1 2=2');
  await sdk.disableNetwork(client);
  const written = sdk.setDoc(sdk.doc(client, 'c/3'), { a: 3 });
  await view.until('cached 1=1 2=2 3=3*');
  await firestore.doc('c/1').delete();
  await firestore.doc('c/2').set({ a: 20 });
  await sdk.enableNetwork(client);
  await written;
  await view.until('2=20 3=3');
  expect((await firestore.doc('c/3').get()).data()).toEqual({ a: 3 });
}

async function keepsValues(loaded: ClientSdk): Promise<void> {
  const { sdk } = loaded;
  const { client, firestore } = await connectForTest(loaded);
  const values = {
    nothing: null,
    numbers: [1, 1.5, -0, NaN, Infinity, Number.MAX_SAFE_INTEGER],
    text: 'a😀é',
    bytes: sdk.Bytes.fromBase64String('AQL/'),
    time: new sdk.Timestamp(1_700_000_000, 123_456_000),
    place: new sdk.GeoPoint(1.5, -2.5),
    reference: sdk.doc(client, 'x/y'),
    nested: { map: { empty: {}, list: [] } },
    vector: sdk.vector([1, 2.5]),
  };
  await sdk.setDoc(sdk.doc(client, 'c/1'), values);
  const stored = await firestore.doc('c/1').get();
  expect(stored.get('numbers')).toEqual(values.numbers);
  await firestore.doc('c/2').set(stored.data() ?? {});
  const read = await sdk.getDocFromServer(sdk.doc(client, 'c/2'));
  const data = read.data() ?? {};
  expect(data['numbers']).toEqual(values.numbers);
  expect({ ...data, reference: undefined, bytes: undefined }).toEqual({
    ...values,
    reference: undefined,
    bytes: undefined,
  });
  expect((data['bytes'] as Sdk.Bytes).toBase64()).toBe('AQL/');
  expect((data['reference'] as Sdk.DocumentReference).path).toBe('x/y');
}

async function isToldRefusals(loaded: ClientSdk): Promise<void> {
  const { sdk } = loaded;
  const { client } = await connectForTest(loaded);
  await expect(sdk.updateDoc(sdk.doc(client, 'c/missing'), { a: 1 })).rejects.toMatchObject({
    code: 'not-found',
  });
  await sdk.setDoc(sdk.doc(client, 'c/1'), { a: 1 });
  const user = await connectForTest(loaded, { sub: 'alice' });
  const refused = await new Promise<Sdk.FirestoreError>((resolve) => {
    sdk.onSnapshot(sdk.doc(user.client, 'c/1'), () => undefined, resolve);
  });
  expect(refused.code).toBe('permission-denied');
  await expect(sdk.setDoc(sdk.doc(user.client, 'c/1'), {})).rejects.toMatchObject({
    code: 'permission-denied',
  });
}

/** Scenarios of the client SDK, for each transport that its builds use. */
export const clientScenarios: readonly (readonly [name: string, (loaded: ClientSdk) => Promise<void>])[] = [
  ['shows own writes immediately, then as the server has them, and those of others', showsWrites],
  ['refills a limit and keeps the order of limitToLast', refillsWindows],
  ['sends what was written offline, and hears what happened meanwhile', worksOffline],
  ['keeps every kind of value', keepsValues],
  ['receives the reason of a refused write or listener, and continues', isToldRefusals],
];
