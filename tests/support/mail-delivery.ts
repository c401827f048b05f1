import type { Firestore } from 'firebase-admin/firestore';
import { beforeAll, beforeEach } from 'vitest';
import { createBackend, type Backend } from '../../functions/src/backend.ts';
import { FEATURE_HOOKS } from '../../functions/src/feature-hooks/registry.ts';
import { deliverDueMail, deliverMail } from '../../functions/src/mail/deliver.service.ts';
import { writeMail, type NewMail } from '../../functions/src/mail/outbox.store.ts';
import { startSmtpServer, type TestSmtpServer } from '../../functions/src/mail/testing/smtp-server.ts';
import { useStack } from './app.ts';
import { testConfig } from './config.ts';
import { meterFirestore, type MeteredFirestore } from './cost.ts';
import { adminFirestore } from './people.ts';
import { useResources } from './resources.ts';

const MINUTE_MS = 60_000;

export const MESSAGE = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

/** The delivery of mail to an SMTP server of the test, with a clock of its own. */
export interface MailDelivery {
  readonly backend: Backend;
  readonly firestore: Firestore;
  readonly metered: MeteredFirestore;
  readonly smtp: TestSmtpServer;
  /** The time of the clock, in milliseconds. */
  readonly now: number;
  passMinutes: (count: number) => void;
  /** Deletes all mail, sent or not, and the faults of the server. */
  clear: () => Promise<void>;
  /** Writes a mail into the outbox and returns its id. */
  write: (mail?: Partial<NewMail>) => Promise<string>;
  /** Writes a document as another program or an operator does. */
  writeRaw: (id: string, document: object) => Promise<void>;
  setState: (id: string, state: string) => Promise<void>;
  deliver: (id: string) => Promise<void>;
  deliverDue: () => Promise<number>;
  deliveryOf: (id: string) => Promise<Record<string, unknown>>;
}

/**
 * Delivers mail from a Firestore of this test file, because the clock moves and the schedule sends all mail that is
 * due. Each test begins at noon without mail and without faults.
 */
export function useMailDelivery(): MailDelivery {
  let now: number;
  const resources = useResources();
  const delivery = {} as { -readonly [Key in keyof MailDelivery]: MailDelivery[Key] };
  beforeAll(async () => {
    delivery.metered = resources.use(await meterFirestore());
    useStack();
    delivery.smtp = resources.use(await startSmtpServer());
    const config = testConfig('http://127.0.0.1:1', { mailSmtpUrl: delivery.smtp.url });
    delivery.backend = { ...createBackend(config, FEATURE_HOOKS), now: () => new Date(now) };
    delivery.firestore = adminFirestore();
  });
  beforeEach(async () => {
    now = Date.parse('2026-05-01T12:00:00Z');
    await delivery.clear();
  });
  const mailDocument = (id: string) => delivery.firestore.doc(`mail/${id}`);
  return Object.defineProperty(
    Object.assign(delivery, {
      passMinutes: (count: number) => {
        now += count * MINUTE_MS;
      },
      clear: async () => {
        const { smtp, firestore } = delivery;
        smtp.messages.length = 0;
        for (const name of Object.keys(smtp.faults)) Reflect.deleteProperty(smtp.faults, name);
        await firestore.recursiveDelete(firestore.collection('mail'));
      },
      write: async (mail: Partial<NewMail> = {}) => {
        const written = { to: 'ann@example.com', message: MESSAGE, ...mail };
        await delivery.backend.db.run((tx) => {
          writeMail(tx, written, new Date(now));
          return Promise.resolve();
        });
        const all = delivery.firestore.collection('mail');
        const { docs } = await all.where('to', '==', [written.to]).get();
        return docs[0]?.id ?? '';
      },
      writeRaw: async (id: string, document: object) => {
        await mailDocument(id).set(document);
      },
      setState: async (id: string, state: string) => {
        await mailDocument(id).update({ 'delivery.state': state });
      },
      deliver: (id: string) => deliverMail(delivery.backend, id),
      deliverDue: () => deliverDueMail(delivery.backend),
      deliveryOf: async (id: string) =>
        (await mailDocument(id).get()).get('delivery') as Record<string, unknown>,
    }),
    'now',
    { get: () => now },
  );
}
