import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Reply } from '../functions/src/mail/testing/smtp-server.ts';
import { useMailDelivery } from './support/mail-delivery.ts';

const mail = useMailDelivery();

const EVENTS = ['event', 'two events', 'schedule', 'busy', 'refused', 'broken', 'well', 'RETRY'] as const;

type Event = (typeof EVENTS)[number];

/** The reply of the server after an event that changes it. */
const REPLIES: Partial<Record<Event, () => Reply | 'drop' | undefined>> = {
  busy: () => new Reply(451),
  refused: () => new Reply(554),
  broken: () => 'drop',
  well: () => undefined,
};

test('in any order of events a mail is sent at most as often as it was requested', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...EVENTS), { minLength: 3, maxLength: 12 }), checkSequence),
    { numRuns: 20, examples: [[['broken', 'event', 'schedule', 'well', 'schedule']]] },
  );
});

async function checkSequence(sequence: readonly Event[]): Promise<void> {
  await mail.clear();
  const id = await mail.write();
  let requested = 1;
  let accepted = 0;
  let reply: Reply | 'drop' | undefined;
  mail.smtp.faults.message = () => {
    // A server that drops the connection may have accepted the mail.
    if (!(reply instanceof Reply)) accepted += 1;
    return reply;
  };
  for (const event of sequence) {
    const newReply = REPLIES[event];
    if (newReply !== undefined) reply = newReply();
    if (event === 'RETRY') requested += 1;
    await cause(event, id);
    expect(accepted).toBeLessThanOrEqual(requested);
  }
  const { state } = await mail.deliveryOf(id);
  expect(['PENDING', 'SUCCESS', 'ERROR', 'RETRY']).toContain(state);
  if (state === 'SUCCESS') expect(accepted).toBeGreaterThan(0);
}

async function cause(event: Event, id: string): Promise<void> {
  if (event === 'event') await mail.deliver(id);
  if (event === 'two events') await Promise.all([mail.deliver(id), mail.deliver(id)]);
  if (event === 'schedule') {
    mail.passMinutes(130);
    await mail.deliverDue();
  }
  if (event === 'RETRY') await mail.setState(id, 'RETRY');
}
