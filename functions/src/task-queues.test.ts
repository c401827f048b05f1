import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

// The logger takes the methods of the console when it loads.
const lines = vi.hoisted(() => {
  const written: string[] = [];
  console.warn = (line: string) => void written.push(line);
  return written;
});
const { enqueueCustomerContactSyncOrLog } = await import('./billing/customers/contacts/queue.service.ts');
const { enqueueSeatSyncOrLog, enqueueTeamContactSyncOrLog } =
  await import('./teams/enqueue-billing-syncs.ts');

const RUNBOOKS = readFileSync(new URL('../../docs/runbooks.md', import.meta.url), 'utf8');

const down = () => Promise.reject(new Error('down'));

test.each<[message: string, enqueue: () => Promise<void>]>([
  [
    'The seat sync of team t waits for the reconciliation.',
    () => enqueueSeatSyncOrLog({ enqueueSeatSync: down }, 't', { billingDependsOnMembers: true }),
  ],
  [
    'The contact sync of team t waits for the reconciliation.',
    () => enqueueTeamContactSyncOrLog({ enqueueContactSync: down }, 't', { isCustomer: true }),
  ],
  [
    'The contact sync of customer u waits for the reconciliation.',
    () => enqueueCustomerContactSyncOrLog({ enqueueContactSync: down }, 'u'),
  ],
])('a sync that cannot be enqueued fails nothing and is logged: %s', async (message, enqueue) => {
  lines.length = 0;
  await enqueue();
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ severity: 'WARNING', message });
  const [named = 'missing'] = /waits for the reconciliation/.exec(RUNBOOKS) ?? [];
  expect(message).toContain(named);
});
