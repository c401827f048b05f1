import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { execa } from 'execa';
import { getApp } from 'firebase-admin/app';
import { getFirestore, Timestamp, type Firestore } from 'firebase-admin/firestore';
import { expect, inject, test } from 'vitest';
import { ROOT } from '../scripts/paths.ts';
import { copyMissing, NOT_COPIED } from '../scripts/restore/copy-missing.ts';
import { adminFirestore } from './support/people.ts';

/** Documents that were deleted come back from a clone of the database. */

function clone(id = `clone-${randomUUID()}`): Firestore {
  adminFirestore();
  return getFirestore(getApp(), id);
}

/** A team in the clone. The live database has lost it and one member, and has a newer document of the other member. */
async function loseTeam() {
  const from = clone();
  const to = adminFirestore();
  const path = `teams/${randomUUID()}`;
  const [ada, ben] = [`${path}/members/ada`, `${path}/members/ben`];
  const at = new Date('2027-01-31T12:00:00Z');
  await from.doc(path).set({ name: 'Acme', createdAt: at });
  await from.doc(ada).set({ role: 'owner' });
  await from.doc(ben).set({ role: 'member' });
  await to.doc(ben).set({ role: 'admin' });
  const copy = (writes: boolean) => copyMissing({ from, to, path, writes });
  return { from, to, path, ada, ben, at, copy };
}

test('missing documents are copied with those below them, and a newer document stays', async () => {
  const { to, path, ada, ben, at, copy } = await loseTeam();
  expect((await copy(true)).toSorted()).toEqual([path, ada].toSorted());
  const [team, owner, member] = await to.getAll(to.doc(path), to.doc(ada), to.doc(ben));
  expect([team?.get('name'), (team?.get('createdAt') as { toDate: () => Date }).toDate()]).toEqual([
    'Acme',
    at,
  ]);
  expect([owner?.get('role'), member?.get('role')]).toEqual(['owner', 'admin']);
  expect(await copy(true), 'again').toEqual([]);
});

test('a dry run names the documents and writes nothing', async () => {
  const { to, path, ada, copy } = await loseTeam();
  expect((await copy(false)).toSorted()).toEqual([path, ada].toSorted());
  expect((await to.doc(path).get()).exists).toBe(false);
});

test('documents below a document that does not exist itself are copied, with references to the live database', async () => {
  const { from, to, ada } = await loseTeam();
  const path = `customers/${randomUUID()}`;
  const copy = `${path}/subscriptions/sub_1`;
  await from
    .doc(copy)
    .set({ product: from.doc('products/prod_1'), prices: [from.doc('products/p/prices/q')] });
  expect(await copyMissing({ from, to, path, writes: true })).toEqual([copy]);
  const references = [to.doc('products/prod_1'), to.doc('products/p/prices/q')];
  const copied = await to.doc(copy).get();
  const found = [copied.get('product'), ...(copied.get('prices') as unknown[])] as typeof references;
  expect(found.map((one, index) => references[index]?.isEqual(one))).toEqual([true, true]);
  expect(await copyMissing({ from, to, path: 'nothing', writes: true })).toEqual([]);
  expect((await to.doc(ada).get()).exists).toBe(false);
});

test('more documents than one page are copied', async () => {
  const from = clone();
  const path = `credits/${randomUUID()}/entries`;
  const batch = from.batch();
  for (let index = 0; index < 230; index++) batch.set(from.doc(`${path}/${index}`), { index });
  await batch.commit();
  expect(await copyMissing({ from, to: adminFirestore(), path, writes: true })).toHaveLength(230);
  expect((await adminFirestore().collection(path).count().get()).data().count).toBe(230);
});

test('times keep their microseconds, and maps and lists their values', async () => {
  const from = clone();
  const to = adminFirestore();
  const path = `products/${randomUUID()}`;
  const at = new Timestamp(1, 123456000);
  const data = { at, list: [{ at, nothing: null }], map: { bytes: Buffer.from('a'), deep: { at } } };
  await from.doc(path).set({ ...data, map: { ...data.map, product: from.doc('products/p') } });
  expect(await copyMissing({ from, to, path, writes: true })).toEqual([path]);
  const copied = await to.doc(path).get();
  expect(copied.data()).toEqual({ ...data, map: { ...data.map, product: expect.anything() as unknown } });
  expect(to.doc('products/p').isEqual(copied.get('map.product') as never)).toBe(true);
});

test.each([...NOT_COPIED])('documents in %s are not copied by their own path', async (place) => {
  const from = clone();
  const to = adminFirestore();
  const path = place.replace('*', randomUUID());
  await from.doc(`${path}/one`).set({ sent: false });
  for (const refused of [path, `${path}/one`, `${path}/one/items`])
    await expect(copyMissing({ from, to, path: refused, writes: true })).rejects.toThrow('not copied');
});

const NESTED_PLACES = [...NOT_COPIED].filter((place) => place.includes('/'));

test.each(NESTED_PLACES)(
  'documents in %s are not copied with the documents above, and named',
  async (place) => {
    const from = clone();
    const to = adminFirestore();
    const path = place.replace('*', randomUUID());
    await from.doc(`${path}/one`).set({ sent: false });
    const skipped: string[] = [];
    const onSkipped = (one: string) => void skipped.push(one);
    const above = path.slice(0, path.lastIndexOf('/'));
    expect(await copyMissing({ from, to, path: above, writes: true, onSkipped })).toEqual([]);
    expect(skipped).toEqual([path]);
  },
);

test.each([...NOT_COPIED])(
  'a collection of the app with the name of %s below a team is copied',
  async (place) => {
    const from = clone();
    const path = `teams/${randomUUID()}`;
    const one = `${path}/${place.split('/').at(-1) ?? ''}/one`;
    await from.doc(one).set({ name: 'Phone' });
    expect(await copyMissing({ from, to: adminFirestore(), path, writes: true })).toEqual([one]);
  },
);

test('the command copies only with --yes', async () => {
  const database = `clone-${randomUUID()}`;
  const path = `teams/${randomUUID()}`;
  await clone(database).doc(path).set({ name: 'Acme' });
  const { projectId, env } = inject('stack');
  const run = (...further: string[]) =>
    execa(
      process.execPath,
      [
        join(ROOT, 'scripts/restore/restore.ts'),
        ...['--project', projectId, '--from', database, '--path', path, ...further],
      ],
      { env: { ...env, METADATA_SERVER_DETECTION: 'none' } },
    );
  expect(await run()).toMatchObject({ stdout: path, stderr: '1 documents would be copied.' });
  expect((await adminFirestore().doc(path).get()).exists).toBe(false);
  expect(await run('--yes')).toMatchObject({ stdout: path, stderr: '1 documents were copied.' });
  expect((await adminFirestore().doc(path).get()).get('name')).toBe('Acme');
});
