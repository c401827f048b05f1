import fc from 'fast-check';
import type { Firestore } from 'firebase-admin/firestore';
import { beforeAll, expect, test } from 'vitest';
import { deliverDueMail, deliverMail } from '../functions/src/mail/deliver.service.ts';
import { enqueueMail } from '../functions/src/mail/outbox.store.ts';
import { Reply, startSmtpServer, type TestSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import { createBackend, type Backend } from '../functions/src/backend.ts';
import { HOOKS } from '../functions/src/personal-data/registry.ts';
import { useStack } from './support/app.ts';
import { testConfig } from './support/config.ts';
import { meterFirestore } from './support/cost.ts';
import { useResources } from './support/resources.ts';

const MINUTE = 60_000;

/** Its own Firestore, because the clock is moved, and the schedule delivers all mail that is due. */
let firestore: Firestore;
let smtp: TestSmtpServer;
let backend: Backend;
let now = Date.parse('2026-05-01T12:00:00Z');
let deliver: (id: string) => Promise<void>;
let deliverDue: () => Promise<number>;

const resources = useResources();
beforeAll(async () => {
  resources.use(await meterFirestore());
  useStack();
  smtp = resources.use(await startSmtpServer());
  const config = testConfig('http://127.0.0.1:1', { mailSmtpUrl: smtp.url });
  backend = { ...createBackend(config, HOOKS), now: () => new Date(now) };
  firestore = await backend.firestore();
  deliver = (id) => deliverMail(backend, id);
  deliverDue = () => deliverDueMail(backend);
});

/** Forgets all mail, and writes one as the backend does. @returns its id */
async function begin(): Promise<string> {
  await firestore.recursiveDelete(firestore.collection('mail'));
  const message = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  await firestore.runTransaction((transaction) => {
    enqueueMail(transaction, firestore, { to: 'ann@example.com', message, now: new Date(now) });
    return Promise.resolve();
  });
  const { docs } = await firestore.collection('mail').get();
  return docs[0]?.id ?? '';
}

test('in any order of events a mail is sent at most as often as it was requested', async () => {
  const events = fc.constantFrom(
    'event',
    'two events',
    'schedule',
    'busy',
    'refused',
    'broken',
    'well',
    'RETRY',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(events, { minLength: 3, maxLength: 12 }), async (sequence) => {
      const id = await begin();
      let asked = 1;
      let taken = 0;
      let reply: Reply | 'drop' | undefined;
      smtp.faults.message = () => {
        // A connection that breaks may have left the mail with the server.
        if (!(reply instanceof Reply)) taken += 1;
        return reply;
      };
      for (const event of sequence) {
        if (event === 'event') await deliver(id);
        if (event === 'two events') await Promise.all([deliver(id), deliver(id)]);
        if (event === 'schedule') {
          now += 130 * MINUTE;
          await deliverDue();
        }
        if (event === 'busy') reply = new Reply(451);
        if (event === 'refused') reply = new Reply(554);
        if (event === 'broken') reply = 'drop';
        if (event === 'well') reply = undefined;
        if (event === 'RETRY') {
          asked += 1;
          await firestore.doc(`mail/${id}`).update({ 'delivery.state': 'RETRY' });
        }
        expect(taken).toBeLessThanOrEqual(asked);
      }
      const state: unknown = (await firestore.doc(`mail/${id}`).get()).get('delivery.state');
      expect(['PENDING', 'SUCCESS', 'ERROR', 'RETRY']).toContain(state);
      if (state === 'SUCCESS') expect(taken).toBeGreaterThan(0);
    }),
    { numRuns: 20, examples: [[['broken', 'event', 'schedule', 'well', 'schedule']]] },
  );
});
