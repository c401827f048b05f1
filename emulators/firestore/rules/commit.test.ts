import { firestoreRules } from '@hearth/security-rules/testing';
import { doc, increment, updateDoc } from 'firebase/firestore';
import { expect, test } from 'vitest';
import { ADMIN } from '../authentication.ts';
import { systemClock } from '../clock.ts';
import { Ledger } from '../ledger.ts';
import { Store } from '../store.ts';
import type { OpenDatabase } from '../store.ts';
import { PRODUCTION_TIMEOUTS } from '../transactions/coordinator.ts';
import { parseWrite } from '../write/write.ts';
import type { Write } from '../write/write.ts';
import { commitAllowed } from './commit.ts';
import type { Author } from './commit.ts';
import { Guard } from './guard.ts';
import { Rulesets } from './rulesets/rulesets.ts';
import { serveRules } from './testing.ts';

const DATABASE = 'projects/p/databases/d';

const write = (path: string, open: boolean): Write =>
  parseWrite(
    { update: { name: `${DATABASE}/documents/${path}`, fields: { open: { booleanValue: open } } } },
    DATABASE,
  );

/** An end user who may write while the document `gates/one` says that it is open, which it does. */
async function setUp(): Promise<{ open: OpenDatabase; user: Author }> {
  const open = new Store(systemClock, PRODUCTION_TIMEOUTS).open(DATABASE);
  const gate = 'get(/databases/d/documents/gates/one).data.open';
  const rulesets = new Rulesets(firestoreRules(`match /c/{id} { allow write: if ${gate}; }`));
  await open.transactions.commitWrites([write('gates/one', true)]);
  const guard = new Guard({ rulesets, ledger: new Ledger(), requests: undefined }, undefined);
  return { open, user: { caller: { kind: 'endUser', token: undefined }, guard } };
}

test('the rules are evaluated again when a document that they read changes before the commit is applied', async () => {
  const { open, user } = await setUp();
  const attempt = commitAllowed(open, user, [write('c/one', true)]);
  void open.transactions.commitWrites([write('gates/one', false)], undefined, ADMIN);
  await expect(attempt).rejects.toMatchObject({ code: 7 });
  expect(open.database.get('c/one')).toBeUndefined();
});

test('a commit that is still allowed by the second evaluation is applied', async () => {
  const { open, user } = await setUp();
  const attempt = commitAllowed(open, user, [write('c/one', true)]);
  void open.transactions.commitWrites([write('c/one', false)]);
  await attempt;
  expect(open.database.get('c/one')?.fields.get('open')).toBe(true);
});

test('after waiting for a lock, a commit is evaluated against the current documents', async () => {
  const { open, user } = await setUp();
  const holder = open.transactions.begin();
  const locked = { documents: ['c/one'], ranges: [] };
  await open.transactions.read(holder, locked, () => ({ result: undefined, locked }));
  const attempt = commitAllowed(open, user, [write('c/one', true)]);
  const refused = expect(attempt).rejects.toMatchObject({ code: 7 });
  await open.transactions.commitWrites([write('gates/one', false)], holder);
  await refused;
});

test('a transaction whose evaluation is outdated is aborted, to be tried again', async () => {
  const { open, user } = await setUp();
  const transaction = open.transactions.begin();
  const attempt = commitAllowed(open, user, [write('c/one', true)], transaction);
  void open.transactions.commitWrites([write('gates/one', true), write('gates/two', true)]);
  void open.transactions.commitWrites([write('gates/one', false)]);
  await expect(attempt).rejects.toMatchObject({ code: 10 });
});

test('a denied commit ends its transaction and releases its locks', async () => {
  const { open, user } = await setUp();
  const transaction = open.transactions.begin();
  const locked = { documents: ['c/one'], ranges: [] };
  await open.transactions.read(transaction, locked, () => ({ result: undefined, locked }));
  await open.transactions.commitWrites([write('gates/one', false)]);
  await expect(commitAllowed(open, user, [write('c/one', true)], transaction)).rejects.toMatchObject({
    code: 7,
  });
  await open.transactions.commitWrites([write('c/one', false)]);
  expect(open.database.get('c/one')).toBeDefined();
});

test('no update of many end users is lost', async () => {
  const { client, firestore } = await serveRules(
    'match /c/{id} { allow update: if request.resource.data.n == resource.data.n + 1; }',
  );
  await firestore.doc('c/one').set({ n: 0 });
  const users = Array.from({ length: 5 }, (_, index) => client(`user${index}`));
  await Promise.all(
    users.flatMap((user) =>
      Array.from({ length: 4 }, () => updateDoc(doc(user, 'c/one'), { n: increment(1) })),
    ),
  );
  expect((await firestore.doc('c/one').get()).get('n')).toBe(20);
});
