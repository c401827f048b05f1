import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  giveCredits,
  spendCredits,
  spendCreditsIn,
} from '../functions/src/billing/purchases/credits.service.ts';
import { hasRefusalCode } from '../functions/src/refusals/refusals.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function customerWith(amount: number): Promise<string> {
  const customerId = randomUUID();
  await giveCredits(app.backend, { customerId, amount, key: 'welcome', reason: 'welcome' });
  return customerId;
}

const spend = (customerId: string, amount: number, key: string) =>
  spendCredits(app.backend, { customerId, amount, key, reason: 'picture' });

async function entriesOf(customerId: string): Promise<{ amount: number; balance: number; kind: string }[]> {
  const { docs } = await adminFirestore().collection(`credits/${customerId}/entries`).get();
  return docs.map((entry) => entry.data() as { amount: number; balance: number; kind: string });
}

test('credits are not overspent by many concurrent requests', async () => {
  const customerId = await customerWith(10);
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => spend(customerId, 3, `job-${index}`)),
  );
  const spent = results.filter(({ status }) => status === 'fulfilled');
  expect(spent).toHaveLength(3);
  for (const result of results) {
    if (result.status === 'rejected') expect(hasRefusalCode(result.reason, 'credits_too_low')).toBe(true);
  }
  const entries = await entriesOf(customerId);
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(1);
  expect(entries.map(({ balance }) => balance).sort((a, b) => a - b)).toEqual([1, 4, 7, 10]);
});

test('credits are spent once for a key, however often and at the same time it is tried', async () => {
  const customerId = await customerWith(10);
  const results = await Promise.all(Array.from({ length: 8 }, () => spend(customerId, 4, 'job')));
  expect(results.map(({ balance }) => balance)).toEqual(Array<number>(8).fill(6));
  expect(results.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
  await expect(spend(customerId, 5, 'job')).rejects.toMatchObject({ code: 'key_reused' });
});

test('credits and what they pay for are written together or not at all', async () => {
  const customerId = await customerWith(2);
  const spendWith = (amount: number) =>
    app.backend.db.run(async (tx) => {
      const change = { customerId, amount, key: `job-${amount}`, reason: 'picture' };
      await spendCreditsIn(tx, change, new Date());
      throw new Error('The work could not be stored.');
    });
  await expect(spendWith(1)).rejects.toThrow('could not be stored');
  expect(await entriesOf(customerId)).toMatchObject([{ kind: 'given', balance: 2 }]);
});

test('a customer without credits cannot spend any', async () => {
  await expect(spend(randomUUID(), 1, 'job')).rejects.toMatchObject({ code: 'credits_too_low' });
});

test.each([0, -1, 1.5, NaN])('%d credits are not a number to spend', async (amount) => {
  const customerId = await customerWith(10);
  await expect(async () => spend(customerId, amount, 'job')).rejects.toThrow('not a number of credits');
});

test('credits of a team that never was a customer are deleted with the team', async () => {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  await giveCredits(app.backend, { customerId: teamId, amount: 10, key: 'welcome', reason: 'For Ada' });
  const answer = await call('DELETE', `${app.url}/api/auth/teams/${teamId}`, { headers: owner.bearer });
  expect(answer.status).toBe(204);
  expect((await adminFirestore().doc(`credits/${teamId}`).get()).exists).toBe(false);
  expect(await entriesOf(teamId)).toEqual([]);
});
