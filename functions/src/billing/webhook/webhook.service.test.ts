import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HANDLED_EVENTS } from './webhook.service.ts';

test('docs/operations.md lists the events that the webhook handles', () => {
  const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const listed =
    operations.match(
      /`(charge|checkout\.session|customer|entitlements|invoice|payment_intent|price|product)\.[a-z_.]+`/g,
    ) ?? [];
  expect(listed.map((name) => name.slice(1, -1)).sort()).toEqual([...HANDLED_EVENTS].sort());
});
