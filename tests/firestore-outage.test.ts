import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { startGrpcProxy } from '@hearth/latency/grpc-proxy';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { Db, Tx } from '../functions/src/firestore/db.ts';
import { firestoreAt } from '../functions/src/firestore/testing/unreachable.ts';
import type { WaitLimits } from '../functions/src/firestore/waits.ts';
import { BACKSTOP_MS } from '../scripts/backstop.ts';
import { useStack } from './support/app.ts';
import { dbOn } from './support/database.ts';
import { adminFirestore } from './support/people.ts';

/** False if the quota is used up: then every call fails. */
let isAdmitted = true;

/** The calls to Firestore, and the one that waits until `goOn`. */
let calls: string[] = [];
let held: string | undefined;
let { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<undefined>();
let proxy: Awaited<ReturnType<typeof startGrpcProxy>>;

beforeAll(async () => {
  useStack();
  const { env } = inject('stack');
  proxy = await startGrpcProxy(env.FIRESTORE_EMULATOR_HOST ?? '', async (method) => {
    calls.push(method);
    if (method === held) await mayGoOn;
    return isAdmitted;
  });
});

afterAll(() => proxy[Symbol.asyncDispose]());

const firestoreBehindProxy = () => firestoreAt(Number(proxy.host.split(':')[1]), inject('stack').projectId);

function dbBehindProxy(limits: Partial<WaitLimits> = {}): Db {
  const firestore = firestoreBehindProxy();
  return dbOn(() => Promise.resolve(firestore), limits);
}

/** Runs a transaction that is answered before the held call goes on. */
async function runTooLong(method: string, body: (tx: Tx, id: string) => Promise<void>) {
  [calls, held] = [[], method];
  ({ promise: mayGoOn, resolve: goOn } = Promise.withResolvers<undefined>());
  const db = dbBehindProxy({ call: 200 });
  const id = randomUUID();
  const error: unknown = await db.run((tx) => body(tx, id)).catch((caught: unknown) => caught);
  goOn(undefined);
  return { id, error };
}

const isWritten = async (id: string) => (await adminFirestore().doc(`usage/${id}`).get()).exists;

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: BACKSTOP_MS });

test('the commit of a transaction that is answered too late may be done, and the refusal says so', async () => {
  const { id, error } = await runTooLong('Commit', (tx, id) =>
    Promise.resolve(tx.storageUsage.set(id, { bytes: 1 })),
  );
  expect(error).toMatchObject({ refusalName: 'outcome_unknown', status: 503 });
  await until(async () => {
    expect(await isWritten(id)).toBe(true);
  });
});

test('a transaction that is refused during its body writes nothing later', async () => {
  const { id, error } = await runTooLong('BatchGetDocuments', async (tx, id) => {
    await tx.storageUsage.get(id);
    tx.storageUsage.set(id, { bytes: 1 });
  });
  expect(error).toMatchObject({ refusalName: 'database_unavailable', status: 503 });
  const ends = () => calls.filter((method) => ['Commit', 'Rollback'].includes(method));
  await until(() => {
    expect(ends()).not.toEqual([]);
  });
  expect(ends()).toEqual(['Rollback']);
  expect(await isWritten(id)).toBe(false);
});

test('a snapshot that fails leaves no rejected promise, which would end the process', async () => {
  [held, isAdmitted] = [undefined, false];
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const reading = dbBehindProxy().snapshot((reads) => reads.storageUsage.get('a'));
  await expect(reading).rejects.toMatchObject({ refusalName: 'database_unavailable' });
  await setImmediate();
  process.off('unhandledRejection', unhandled);
  isAdmitted = true;
  expect(unhandled).not.toHaveBeenCalled();
});

test('an outage after an attempt that may be committed says so, also if a later attempt was refused', async () => {
  held = undefined;
  const firestore = firestoreBehindProxy();
  const id = randomUUID();
  const now = new Date();
  let attempt = 0;
  const body = (tx: Tx) => {
    attempt++;
    if (attempt === 1) tx.storageUsage.set(id, { bytes: 1 });
    if (attempt === 2)
      tx.audit.record({ teamId: id, actorId: id, action: 'team.created', target: id, at: now });
    return Promise.resolve();
  };
  const runOnServer = firestore.runTransaction.bind(firestore);
  // The answer to the first commit is lost, the second attempt is refused, and then Firestore is away.
  vi.spyOn(firestore, 'runTransaction').mockImplementation(async (run) => {
    await runOnServer(run);
    await runOnServer(async (transaction) => {
      await run(transaction);
      throw new Error('refused');
    }).catch(() => undefined);
    await runOnServer(run);
    throw Object.assign(new Error('UNAVAILABLE'), { code: 14 });
  });
  const error: unknown = await dbOn(() => Promise.resolve(firestore))
    .run(body)
    .catch((caught: unknown) => caught);
  expect([attempt, await isWritten(id)]).toEqual([3, true]);
  expect(error).toMatchObject({ refusalName: 'outcome_unknown', status: 503 });
});
