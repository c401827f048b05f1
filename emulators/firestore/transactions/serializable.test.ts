import { setImmediate } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StatusError } from '../errors.ts';
import { parseQuery } from '../query/parsing/query.ts';
import { runQuery } from '../query/run.ts';
import { Database } from '../storage/database.ts';
import { ManualClock, ROOT } from '../testing.ts';
import { PRODUCTION_TIMEOUTS, TransactionCoordinator } from './coordinator.ts';
import type { LockTarget } from './lock-target.ts';
import type { Transaction } from './transaction.ts';

const COLLECTIONS = ['a', 'b'];
const PATHS = COLLECTIONS.flatMap((collection) => [0, 1, 2].map((id) => `${collection}/${id}`));
/** More than enough: a retry keeps its age, and no transaction wins against the eldest. */
const MOST_ATTEMPTS = 30;

/** The actions of one client: it reads documents or whole collections, and adds one to documents that may exist. */
const client = fc.record({
  reads: fc.array(fc.constantFrom(...PATHS, ...COLLECTIONS), { minLength: 1, maxLength: 3 }),
  adds: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 2 }),
  /** Turns of the event loop before each step. */
  pauses: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
});

class World {
  readonly database = new Database('projects/p/databases/(default)', new ManualClock());
  // The clock never moves, so that no timeout ends a wait.
  readonly transactions = new TransactionCoordinator(this.database, new ManualClock(), PRODUCTION_TIMEOUTS);

  count(path: string): bigint {
    return (this.database.get(path)?.fields.get('n') ?? 0n) as bigint;
  }

  /** A document's count, or the sum of a collection's. */
  read(transaction: Transaction, what: string): Promise<unknown> {
    const target: LockTarget = what.includes('/')
      ? { documents: [what], ranges: [] }
      : {
          documents: [],
          ranges: [{ query: parseQuery({ from: [{ collectionId: what }] }, ROOT), last: undefined }],
        };
    return this.transactions.read(transaction, target, () => {
      for (const { query } of target.ranges) runQuery(this.database, query);
      return { result: undefined, locked: target };
    });
  }

  async attempt({ reads, adds, pauses }: Client, transaction: Transaction): Promise<void> {
    const pause = async (step: number) => {
      for (let turn = pauses[step % pauses.length] ?? 0; turn > 0; turn -= 1) await setImmediate();
    };
    for (const [step, what] of [...adds, ...reads].entries()) {
      await pause(step);
      await this.read(this.transactions.find(transaction.token), what);
    }
    const counts = new Map(adds.map((path) => [path, this.count(path)]));
    await pause(reads.length);
    const writes = [...counts].map(([path, count]) => ({
      path,
      kind: 'set' as const,
      fields: new Map([['n', count + 1n]]),
      mask: [],
      transforms: [],
      precondition: {},
    }));
    await this.transactions.commitWrites(writes, this.transactions.find(transaction.token));
  }

  async play(one: Client): Promise<void> {
    let transaction = this.transactions.begin();
    for (let attempts = 1; ; attempts += 1) {
      try {
        await this.attempt(one, transaction);
        return;
      } catch (error) {
        const isRetried = error instanceof StatusError && error.code === status.ABORTED;
        if (!isRetried || attempts === MOST_ATTEMPTS) throw error;
        transaction = this.transactions.begin(transaction.token);
      }
    }
  }
}

type Client = typeof client extends fc.Arbitrary<infer Value> ? Value : never;

test('random concurrent transactions all end, and no addition is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(client, { minLength: 2, maxLength: 8 }), async (clients) => {
      const world = new World();
      await Promise.all(clients.map((one) => world.play(one)));
      for (const path of PATHS) {
        const expected = clients.filter(({ adds }) => adds.includes(path)).length;
        expect(world.count(path)).toBe(BigInt(expected));
      }
    }),
    { numRuns: 1_000 },
  );
});
