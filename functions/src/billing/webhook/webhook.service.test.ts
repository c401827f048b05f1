import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENTS_TO_RERUN_IF_LOST, HANDLED_EVENTS, STEPS_THAT_ONLY_SYNC } from './webhook.service.ts';

test('docs/operations.md lists the events that the webhook handles', () => {
  const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const listed =
    operations.match(
      /`(charge|checkout\.session|customer|entitlements|invoice|payment_intent|price|product|refund)\.[a-z_.]+`/g,
    ) ?? [];
  const names = new Set(listed.map((name) => name.slice(1, -1)));
  expect([...names].sort()).toEqual([...HANDLED_EVENTS].sort());
});

test('events that are not recovered only sync objects that a run of the reconciliation compares', () => {
  const compared = ['Invoice', 'Price', 'Product', 'Subscription'].map((object) => `sync${object}OfEvent`);
  const steps = Object.values(STEPS_THAT_ONLY_SYNC).flatMap((ofEvent) => ofEvent.map(({ name }) => name));
  expect(compared).toEqual(expect.arrayContaining(steps));
  expect(Object.keys(STEPS_THAT_ONLY_SYNC).filter((type) => EVENTS_TO_RERUN_IF_LOST.includes(type))).toEqual(
    [],
  );
});

test('lost events with a step besides the sync of a listed object are recovered', () => {
  expect(EVENTS_TO_RERUN_IF_LOST).toContain('customer.subscription.trial_will_end');
  // It expires the checkout page that the customer has open.
  expect(EVENTS_TO_RERUN_IF_LOST).toContain('customer.subscription.created');
  expect(EVENTS_TO_RERUN_IF_LOST).not.toContain('customer.subscription.updated');
  expect(EVENTS_TO_RERUN_IF_LOST).not.toContain('price.updated');
  // Stripe's list of events takes at most this many types.
  expect(EVENTS_TO_RERUN_IF_LOST.length).toBeLessThanOrEqual(20);
});
