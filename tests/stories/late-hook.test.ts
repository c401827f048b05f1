import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppHooks } from '../../functions/src/app-hooks.ts';
import {
  deliverDuePlanChanges,
  deliverLastPlanChanges,
  deliverPlanChange,
} from '../../functions/src/billing/notices/deliver-plan-change.service.ts';
import { TooLate } from '../../functions/src/common/time-limit.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore } from '../support/people.ts';
import { useResources } from '../support/resources.ts';

/** The hook of the app calls a server that answers late or never. */

const received: string[] = [];
let answer: () => Promise<void>;
const never = () => new Promise<void>(() => undefined);

const appHooks: AppHooks = {
  onPlanChanged: ({ id }) => {
    received.push(id);
    return answer();
  },
};

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, so that no other test delivers the changes.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ backend: { appHooks } }));
});
beforeEach(async () => {
  for (const id of await changeIds()) await adminFirestore().doc(`planChanges/${id}`).delete();
  received.length = 0;
});

async function changeIds(): Promise<string[]> {
  return (await adminFirestore().collection('planChanges').get()).docs.map(({ id }) => id);
}

/** Records changes to a paid plan, one a second, which the trigger should have delivered. */
async function recordChanges(count: number, customerId = 'somebody'): Promise<void> {
  const before = Date.now() - 3_600_000;
  for (let index = 0; index < count; index += 1) {
    const at = new Date(before + index * 1_000);
    const change = { customerId, type: 'user', from: 'free', to: 'pro', at };
    await adminFirestore().doc(`planChanges/change-${index}`).set(change);
  }
}

test('a hook that never answers counts as failed, and gets the change again', async () => {
  await recordChanges(1);
  answer = never;
  await expect(deliverPlanChange(app.backend, 'change-0', 20)).rejects.toThrow(TooLate);
  expect(await changeIds()).toEqual(['change-0']);
  answer = () => Promise.resolve();
  await deliverPlanChange(app.backend, 'change-0');
  expect(received).toEqual(['change-0', 'change-0']);
  expect(await changeIds()).toEqual([]);
});

test('a run of the schedule ends in time although the hook answers slowly', async () => {
  await recordChanges(30);
  let now = Date.now();
  answer = () => {
    // Each answer takes four seconds.
    now += 4_000;
    return Promise.resolve();
  };
  const delivered = await deliverDuePlanChanges({ ...app.backend, now: () => new Date(now) });
  expect(delivered).toBeGreaterThan(0);
  // The changes that were under way when the time was over are delivered, too.
  expect(delivered).toBeLessThan(20);
  expect(await changeIds()).toHaveLength(30 - delivered);
});

test('changes whose delivery fails do not hinder later ones', async () => {
  await recordChanges(202);
  answer = () =>
    Number(received.at(-1)?.slice('change-'.length)) < 200 ? Promise.reject(new Error()) : Promise.resolve();
  expect(await deliverDuePlanChanges(app.backend)).toBe(2);
  expect(received).toHaveLength(202);
});

test('the deletion of an account continues although the hook never answers', async () => {
  await recordChanges(3, 'leaver');
  answer = never;
  expect(await deliverLastPlanChanges(app.backend, 'leaver', 250, 20)).toBe(3);
  expect([received.length, await changeIds()]).toEqual([3, []]);
});
