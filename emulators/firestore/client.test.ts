import { initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore';
import { expect, test } from 'vitest';
import { clientScenarios, connectForTest } from './client-scenarios.ts';
import { signal } from './testing.ts';

const CLIENT = { sdk, initializeApp };

test.each(clientScenarios)('the client SDK over gRPC %s', async (_name, scenario) => {
  await scenario(CLIENT);
});

test('many transactions on one document are all committed', async () => {
  const { client, firestore } = await connectForTest(CLIENT);
  const counter = sdk.doc(client, 'c/1');
  await sdk.setDoc(counter, { a: 0 });
  const increment = (): Promise<void> =>
    sdk.runTransaction(client, async (transaction) => {
      const read = await transaction.get(counter);
      transaction.update(counter, { a: (read.get('a') as number) + 1 });
    });
  await Promise.all(Array.from({ length: 3 }, increment));
  expect((await firestore.doc('c/1').get()).get('a')).toBe(3);
});

// Side by side, as the SDK waits about a second before it runs a transaction again.
test('a transaction is repeated if a document that it has read has changed', async () => {
  const { client, firestore } = await connectForTest(CLIENT);
  const cases = ['changed-written', 'changed-read', 'created-written', 'created-read'];
  const attempts = cases.map(async (id) => {
    const contested = sdk.doc(client, 'c', id);
    if (id.startsWith('changed')) await sdk.setDoc(contested, { a: 'before' });
    const read = signal();
    const changed = signal();
    const seen: string[] = [];
    const finished = sdk.runTransaction(client, async (transaction) => {
      seen.push(String((await transaction.get(contested)).get('a')));
      read.give();
      await changed.given;
      if (id.endsWith('written')) transaction.set(contested, { a: 'mine' });
      transaction.set(sdk.doc(client, 'other', id), {});
    });
    await read.given;
    await firestore.doc(`c/${id}`).set({ a: 'theirs' });
    changed.give();
    await finished;
    return seen.join();
  });
  expect(await Promise.all(attempts)).toEqual([
    'before,theirs',
    'before,theirs',
    'undefined,theirs',
    'undefined,theirs',
  ]);
});
