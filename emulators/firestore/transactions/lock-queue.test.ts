import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing.ts';
import { LockQueue, type Blocker, type PendingRequest } from './lock-queue.ts';
import { LockSet } from './lock-target.ts';
import type { Transaction } from './transaction.ts';

const transaction = (age: number): Transaction => ({
  token: `${age}.${age}`,
  age,
  readTime: undefined,
  locks: new LockSet(),
  wanted: new LockSet(),
  serialized: true,
});

const LOCK_TIMEOUT_MS = 1_000;

test('a deadlock that arises while locks are handed on is broken once, and the older transaction continues', () => {
  const aborted: Transaction[] = [];
  const queue = new LockQueue(new ManualClock(), LOCK_TIMEOUT_MS, (loser) => {
    aborted.push(loser);
    if (aborted.length > 2) throw new Error('It is broken again and again.');
  });
  const told: string[] = [];
  const submit = (owner: Transaction, blockers: (ahead: readonly PendingRequest[]) => readonly Blocker[]) => {
    queue.submit({
      owner,
      blockers,
      preempts: () => false,
      run: () => told.push(`${owner.age} runs`),
      fail: (error) => told.push(`${owner.age} fails: ${String((error as { code?: unknown }).code)}`),
    });
  };
  const [elder, younger, other] = [transaction(1), transaction(2), transaction(3)];
  let isOtherDone = false;
  submit(younger, () => [elder]);
  // Behind the younger's request as soon as the other one has gone: then each waits for the other.
  submit(elder, (ahead) => (isOtherDone ? ahead : [other]));
  expect(told).toEqual([]);

  isOtherDone = true;
  queue.pump();
  expect(told).toEqual([`2 fails: ${status.ABORTED}`, '1 runs']);
  expect(aborted).toEqual([younger]);
});
