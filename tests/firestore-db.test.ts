import { randomUUID } from 'node:crypto';
import { Timestamp, type DocumentReference } from 'firebase-admin/firestore';
import { beforeAll, describe, expect, test } from 'vitest';
import { DocumentPath } from '../functions/src/firestore/convert.ts';
import { createDb, type Db, type Tx } from '../functions/src/firestore/db.ts';
import { isAlreadyExists, isNotFound } from '../functions/src/firestore/failures.ts';
import { REMOVED } from '../functions/src/firestore/writes.ts';
import { useStack } from './support/app.ts';
import { adminFirestore } from './support/people.ts';

let db: Db;
beforeAll(() => {
  useStack();
  db = createDb({ loadClient: () => Promise.resolve(adminFirestore()), auditDays: 10 });
});

const NOW = new Date('2026-01-02T03:04:05.678Z');
const newId = () => `T${randomUUID().replaceAll('-', '')}`;
const usageIn = (bytes: number) => ({ bytes });
const trial = (customerId: string) => ({ customerId, reservedAt: NOW });

test('a document is read as it was written, with every time as a Date', async () => {
  const id = newId();
  await db.trials.create(id, { ...trial('c'), usedAt: NOW });
  expect(await db.trials.get(id)).toEqual({ customerId: 'c', reservedAt: NOW, usedAt: NOW });
  const raw = await adminFirestore().doc(`trials/${id}`).get();
  expect(raw.get('reservedAt')).toEqual(Timestamp.fromDate(NOW));
});

test('a missing document is undefined', async () => {
  expect(await db.trials.get(newId())).toBeUndefined();
  expect(await db.trials.exists(newId())).toBe(false);
});

test('getAll has the documents that exist, by their ids', async () => {
  const [a, b] = [newId(), newId()];
  await db.storageUsage.set(a, usageIn(1));
  expect(await db.storageUsage.getAll([a, b, a])).toEqual(new Map([[a, { bytes: 1 }]]));
});

test('direct writes report conflicts and missing documents', async () => {
  const id = newId();
  await db.storageUsage.create(id, usageIn(1));
  expect(isAlreadyExists(await db.storageUsage.create(id, usageIn(2)).catch((error: unknown) => error))).toBe(
    true,
  );
  expect(isNotFound(await db.storageUsage.update(newId(), usageIn(2)).catch((error: unknown) => error))).toBe(
    true,
  );
  expect(await db.storageUsage.deleteExisting(id)).toBe(true);
  expect(await db.storageUsage.deleteExisting(id)).toBe(false);
});

test('an update can remove a field', async () => {
  const id = newId();
  await db.trials.set(id, { ...trial('c'), usedAt: NOW });
  await db.trials.update(id, { usedAt: REMOVED });
  expect(await db.trials.get(id)).toEqual(trial('c'));
});

describe('a reference', () => {
  const product = {
    active: true,
    name: 'Pro',
    description: null,
    role: null,
    images: [],
    metadata: {},
    tax_code: null,
  };
  const path = () => new DocumentPath(`trials/${newId()}`);
  const rawOf = async (id: string) => (await adminFirestore().doc(`products/${id}`).get()).data() ?? {};
  const real = ({ path }: DocumentPath) => adminFirestore().doc(path);

  /** Every way of writing fields to a document that exists, or to a new one. */
  const WRITES: [
    how: string,
    write: (id: string, fields: Record<string, unknown>) => Promise<void>,
    isUpdate: boolean,
  ][] = [
    ['direct create', (id, fields) => db.products.create(id, { ...product, ...fields }), false],
    ['direct set', (id, fields) => db.products.set(id, { ...product, ...fields }), false],
    ['direct update', (id, fields) => db.products.update(id, fields), true],
    [
      'create in a transaction',
      (id, fields) => inTransaction((tx) => tx.products.create(id, { ...product, ...fields })),
      false,
    ],
    [
      'set in a transaction',
      (id, fields) => inTransaction((tx) => tx.products.set(id, { ...product, ...fields })),
      false,
    ],
    ['update in a transaction', (id, fields) => inTransaction((tx) => tx.products.update(id, fields)), true],
  ];
  const inTransaction = (write: (tx: Tx) => void) => db.run((tx) => Promise.resolve(write(tx)));

  test.each(WRITES)(
    'is written as a real one and read as its path, after a %s',
    async (_how, write, isUpdate) => {
      const [id, one, other] = [newId(), path(), path()];
      if (isUpdate) await db.products.set(id, product);
      await write(id, { one, inside: { list: [other, { at: NOW }] } });
      const raw = await rawOf(id);

      expect(real(one).isEqual(raw['one'] as DocumentReference)).toBe(true);
      expect(await db.products.get(id)).toEqual({
        ...product,
        one,
        inside: { list: [other, { at: NOW }] },
      });
    },
  );

  test('that another program wrote is read as its path', async () => {
    const [id, one] = [newId(), path()];
    await real(new DocumentPath(`products/${id}`)).set({
      ...product,
      one: real(one),
      list: [{}, real(one)],
    });
    expect(await db.products.get(id)).toEqual({ ...product, one, list: [{}, one] });
  });

  test('finds the documents that have it', async () => {
    const [id, one] = [newId(), path()];
    await db.products.set(id, { ...product, role: id, one });
    const ofRole = db.products.where('role', '==', id);
    const withReference = (value: DocumentPath) => ofRole.where('one', '==', value).findPaths();
    expect(await withReference(one)).toHaveLength(1);
    expect(await withReference(path())).toEqual([]);
  });

  test('can be removed', async () => {
    const id = newId();
    await db.products.set(id, { ...product, one: path() });
    await db.products.update(id, { one: REMOVED, two: path() });
    expect(Object.keys(await rawOf(id))).toEqual(expect.not.arrayContaining(['one']));
  });
});

describe('a transaction', () => {
  test('writes after its body has ended, so that reads may follow writes', async () => {
    const [a, b] = [newId(), newId()];
    await db.storageUsage.set(b, usageIn(2));
    const read = await db.run(async (tx) => {
      tx.storageUsage.create(a, usageIn(1));
      return tx.storageUsage.get(b);
    });
    expect(read).toEqual({ bytes: 2 });
    expect(await db.storageUsage.get(a)).toEqual({ bytes: 1 });
  });

  test('does not read a document that it has changed', async () => {
    const id = newId();
    const body = db.run(async (tx) => {
      tx.storageUsage.set(id, usageIn(1));
      return tx.storageUsage.get(id);
    });
    await expect(body).rejects.toThrow(`The transaction read usage/${id} after a write to it.`);
    expect(await db.storageUsage.exists(id)).toBe(false);
  });

  test('writes nothing if its body fails', async () => {
    const id = newId();
    const body = db.run((tx) => {
      tx.storageUsage.set(id, usageIn(1));
      return Promise.reject(new Error('refused'));
    });
    await expect(body).rejects.toThrow('refused');
    expect(await db.storageUsage.exists(id)).toBe(false);
  });

  test('loses no update of another one', async () => {
    const id = newId();
    await db.storageUsage.set(id, usageIn(0));
    const addOne = () =>
      db.run(async (tx) => {
        const { bytes } = (await tx.storageUsage.get(id)) ?? usageIn(0);
        tx.storageUsage.set(id, usageIn(bytes + 1));
      });
    await Promise.all(Array.from({ length: 8 }, addOne));
    expect(await db.storageUsage.get(id)).toEqual({ bytes: 8 });
  });

  test('records an entry of the audit log that expires', async () => {
    const teamId = newId();
    await db.run((tx) => {
      tx.audit.record({ teamId, actorId: 'a', action: 'team.created', target: teamId, at: NOW });
      return Promise.resolve();
    });
    const [entry] = await db.auditLog.where('teamId', '==', teamId).findIntact();
    expect(entry?.data).toEqual({
      teamId,
      actorId: 'a',
      action: 'team.created',
      target: teamId,
      at: NOW,
      details: {},
      deleteAt: new Date('2026-01-12T03:04:05.678Z'),
    });
  });
});

describe('a query', () => {
  test('finds documents with their places, in a collection and in all of one name', async () => {
    const [teamId, uid] = [newId(), newId()];
    const member = { uid, role: 'admin' as const, email: null, displayName: null, joinedAt: NOW };
    await db.members(teamId).set(uid, member);
    const place = { id: uid, path: `teams/${teamId}/members/${uid}`, parentId: teamId };
    expect(await db.members(teamId).where('role', '==', 'admin').findIntact()).toEqual([
      { ...place, data: member },
    ]);
    expect(await db.group('members').where('uid', '==', uid).findPaths()).toEqual([place]);
    expect(await db.members(teamId).count()).toBe(1);
  });

  test('for all collections of one name finds no documents of the app elsewhere, also beyond its limit', async () => {
    const uid = newId();
    const member = { uid, role: 'admin' as const, email: null, displayName: null, joinedAt: NOW };
    for (const path of ['projects/a', 'projects/b', 'teams/t/projects/c']) {
      await adminFirestore().doc(`${path}/members/${uid}`).set(member);
    }
    const found = db.group('members').where('uid', '==', uid);
    expect(await found.limit(1).findPaths()).toEqual([]);
    const teamId = newId();
    await db.members(teamId).set(uid, member);
    const place = { id: uid, path: `teams/${teamId}/members/${uid}`, parentId: teamId };
    expect(await found.orderBy('joinedAt').limit(1).findPaths()).toEqual([place]);
    expect(await found.findIntact()).toEqual([{ ...place, data: member }]);
    expect(await Array.fromAsync(found.orderBy('__name__').streamIntactInOrder(2))).toHaveLength(1);
    await db.run(async (tx) => {
      const within = tx.group('members').where('uid', '==', uid).limit(1);
      expect(await within.findPaths()).toEqual([place]);
    });
  });

  test('streams more documents than a page has', async () => {
    const customerId = newId();
    const batch = adminFirestore().batch();
    for (let index = 0; index < 201; index++) {
      batch.set(adminFirestore().doc(`trials/${newId()}`), { customerId, reservedAt: NOW });
    }
    await batch.commit();
    const ids = new Set<string>();
    for await (const { id } of db.trials.where('customerId', '==', customerId).streamIntact()) ids.add(id);
    expect(ids.size).toBe(201);
  });
});

describe('a damaged document', () => {
  const damaged = async () => {
    const id = newId();
    await adminFirestore().doc(`trials/${id}`).set({ customerId: id, reservedAt: 'yesterday' });
    return id;
  };

  test('is refused when it is read, and the cause names its path', async () => {
    const id = await damaged();
    const error: unknown = await db.trials.get(id).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'document_damaged', status: 500, path: `trials/${id}` });
    expect(String((error as Error).cause)).toContain(`trials/${id} is damaged: reservedAt`);
    expect(await db.trials.exists(id)).toBe(true);
  });

  test('is left out of a list, and has no data among all that were found', async () => {
    const id = await damaged();
    const query = db.trials.where('customerId', '==', id);
    expect(await query.findIntact()).toEqual([]);
    const damage: unknown = expect.objectContaining({ code: 'document_damaged', path: `trials/${id}` });
    expect(await query.findWithDamaged()).toEqual([
      { id, path: `trials/${id}`, parentId: '', data: undefined, damage },
    ]);
  });

  test('is deleted by a purge', async () => {
    const id = await damaged();
    expect(await db.purge(db.trials.where('customerId', '==', id), 10)).toBe(1);
    expect(await db.trials.exists(id)).toBe(false);
  });
});

test('changeBatch changes all that a query finds, in one transaction', async () => {
  const customerId = newId();
  await db.trials.set(newId(), trial(customerId));
  const find = (reads: Pick<Db, 'trials'>) => reads.trials.where('customerId', '==', customerId);
  const change = () =>
    db.changeBatch(
      (reads) => reads.trials.where('customerId', '==', customerId),
      10,
      (tx, found) => {
        for (const { id } of found) tx.trials.update(id, { customerId: 'other' });
      },
    );
  expect(await change()).toBe(1);
  expect(await find(db).isEmpty()).toBe(true);
  expect(await change()).toBe(0);
});
