import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FOLLOWED_EVENTS } from './webhook.service.ts';

test('the events to subscribe to at Stripe are those that are followed', () => {
  const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const listed = operations.match(/`(checkout\.session|customer|invoice|price|product)\.[a-z_.]+`/g) ?? [];
  expect(listed.map((name) => name.slice(1, -1)).sort()).toEqual([...FOLLOWED_EVENTS].sort());
});
