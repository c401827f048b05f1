import type { Firestore } from 'firebase-admin/firestore';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '../functions/src/settings/config.ts';
import { deliverDueMail, deliverMail } from '../functions/src/mail/deliver.service.ts';
import { enqueueMail } from '../functions/src/mail/outbox.store.ts';
import { Reply, startSmtpServer, type TestSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import { createBackend, type Backend } from '../functions/src/backend.ts';
import { HOOKS } from '../functions/src/personal-data/registry.ts';
import { useStack } from './support/app.ts';
import { testConfig } from './support/config.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { useResources } from './support/resources.ts';

const MINUTE = 60_000;

/** A Firestore of its own, because these tests move the clock and deliver all mail that is due. */
let metered: MeteredFirestore;
let firestore: Firestore;
let smtp: TestSmtpServer;
let config: Config;
let backend: Backend;
let now: number;

const resources = useResources();
beforeAll(async () => {
  metered = resources.use(await meterFirestore());
  useStack();
  smtp = resources.use(await startSmtpServer());
  config = testConfig('http://127.0.0.1:1', { mailSmtpUrl: smtp.url });
  backend = { ...createBackend(config, HOOKS), now: () => new Date(now) };
  firestore = await backend.firestore();
});
beforeEach(async () => {
  now = Date.parse('2026-05-01T12:00:00Z');
  await forgetAll();
});

async function forgetAll(): Promise<void> {
  smtp.messages.length = 0;
  for (const name of Object.keys(smtp.faults)) Reflect.deleteProperty(smtp.faults, name);
  await firestore.recursiveDelete(firestore.collection('mail'));
}

const message = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

/** Writes a mail as the backend does. @returns its id */
async function write(to = 'ann@example.com'): Promise<string> {
  await firestore.runTransaction((transaction) => {
    enqueueMail(transaction, firestore, { to, message, now: new Date(now) });
    return Promise.resolve();
  });
  const { docs } = await firestore.collection('mail').where('to', '==', [to]).get();
  return docs[0]?.id ?? '';
}

const deliver = (id: string) => deliverMail(backend, id);
const deliverDue = () => deliverDueMail(backend);

async function deliveryOf(id: string): Promise<Record<string, unknown>> {
  return (await firestore.doc(`mail/${id}`).get()).get('delivery') as Record<string, unknown>;
}

async function setState(id: string, state: string): Promise<void> {
  await firestore.doc(`mail/${id}`).update({ 'delivery.state': state });
}

describe('a new mail', () => {
  test('is sent once, and the document has the result', async () => {
    const id = await write();
    await deliver(id);
    expect(smtp.messages).toHaveLength(1);
    expect(await deliveryOf(id)).toMatchObject({
      state: 'SUCCESS',
      attempts: 1,
      error: null,
      leaseExpireTime: null,
      info: { messageId: `<${id}@hearth.example>`, accepted: ['ann@example.com'], rejected: [] },
    });
  });

  test('is sent with the headers that mail programs use to stop such mail', async () => {
    const url = 'https://app.example.com/api/mail/unsubscribe?token=0123456789abcdef';
    const headers = { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
    await firestore.runTransaction((transaction) => {
      enqueueMail(transaction, firestore, { to: 'ann@example.com', message, headers, now: new Date(now) });
      return Promise.resolve();
    });
    now += 5 * MINUTE;
    await deliverDue();
    const lines = smtp.messages[0]?.raw.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
    expect(lines).toContain(`List-Unsubscribe: <${url}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test.each([
    [
      'a header that we do not send',
      { 'List-Unsubscribe': '<x>', 'List-Unsubscribe-Post': 'y', Bcc: 'all@x.example' },
    ],
    [
      'a line break in a header',
      { 'List-Unsubscribe': '<x>\r\nBcc: all@x.example', 'List-Unsubscribe-Post': 'y' },
    ],
  ])('is refused with %s, which an admin may have written', async (_what, headers) => {
    const id = await write();
    await firestore.doc(`mail/${id}`).update({ headers });
    await deliver(id);
    expect(smtp.messages).toEqual([]);
    expect(await deliveryOf(id)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('headers') as string,
    });
  });

  test('is sent once when its event arrives twice, later or at the same time', async () => {
    const id = await write();
    await Promise.all([deliver(id), deliver(id), deliver(id), deliverDue()]);
    await deliver(id);
    now += 60 * MINUTE;
    await deliver(id);
    expect(await deliverDue()).toBe(0);
    expect(smtp.messages).toHaveLength(1);
  });

  test('is sent by the schedule when its event was lost', async () => {
    const id = await write();
    expect(await deliverDue()).toBe(0);
    now += 5 * MINUTE;
    expect(await deliverDue()).toBe(1);
    expect(await deliveryOf(id)).toMatchObject({ state: 'SUCCESS' });
  });

  test('is ignored if the Trigger Email extension delivers', async () => {
    const id = await write();
    now += 5 * MINUTE;
    const left = { ...backend, config: { ...config, mailSmtpUrl: 'extension' } };
    await deliverMail(left, id);
    expect(await deliverDueMail(left)).toBe(0);
    expect(smtp.messages).toEqual([]);
    expect(await deliveryOf(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
  });

  test('is kept for 30 days', async () => {
    const id = await write();
    const deleteAt = (await firestore.doc(`mail/${id}`).get()).get('deleteAt') as { toMillis: () => number };
    expect(deleteAt.toMillis() - now).toBe(30 * 24 * 60 * MINUTE);
  });

  test('costs two reads and two writes to deliver, and the schedule one read when nothing is due', async () => {
    const id = await write();
    const asRequest = (work: () => Promise<unknown>) => () => work().then(() => new Response());
    await metered.expectCost(
      asRequest(() => deliver(id)),
      { reads: 2, writes: 2 },
    );
    await metered.expectCost(asRequest(deliverDue), { reads: 1 });
  });
});

describe('a mail that the server does not accept now', () => {
  test('is retried at growing intervals with the same id, and sent when the server accepts it', async () => {
    smtp.faults.message = () => new Reply(451);
    const id = await write();
    await deliver(id);
    expect(await deliveryOf(id)).toMatchObject({ state: 'PENDING', attempts: 1, endTime: null });
    for (const wait of [5, 10, 20]) {
      now += (wait - 1) * MINUTE;
      await deliver(id);
      expect(await deliverDue()).toBe(0);
      now += MINUTE;
      expect(await deliverDue()).toBe(1);
    }
    smtp.faults.message = undefined;
    now += 40 * MINUTE;
    await deliverDue();
    expect(await deliveryOf(id)).toMatchObject({ state: 'SUCCESS', attempts: 5, error: null });
    const ids = smtp.messages.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
    expect(ids).toEqual(Array(5).fill(`<${id}@hearth.example>`));
  });

  test('is given up after a day', async () => {
    smtp.faults.connect = () => new Reply(421);
    const id = await write();
    await deliver(id);
    for (let hour = 0; hour < 30; hour++) {
      now += 60 * MINUTE;
      await deliverDue();
    }
    const { state, error, attempts } = await deliveryOf(id);
    expect({ state, error }).toEqual({
      state: 'ERROR',
      error: expect.stringContaining('Given up') as string,
    });
    expect(attempts).toBeGreaterThan(10);
    expect(await deliverDue()).toBe(0);
  });

  test('does not block the others', async () => {
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => write(`${name}@example.com`)),
    );
    smtp.faults.recipient = (address) => (address.startsWith('b') ? new Reply(450) : undefined);
    now += 5 * MINUTE;
    expect(await deliverDue()).toBe(7);
    const states = await Promise.all(ids.map(async (id) => (await deliveryOf(id))['state']));
    expect(states).toEqual(['SUCCESS', 'PENDING', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  });
});

test('the schedule sends all mail that is due, behind damaged documents', async () => {
  const writer = firestore.bulkWriter();
  for (let index = 0; index < 50; index++) {
    // As nobody writes it but an admin by hand: the schedule finds it, and knows not since when it waits.
    const delivery = { state: 'PENDING', dueTime: new Date(0) };
    void writer.create(firestore.doc(`mail/odd-${index}`), { to: ['odd@example.com'], message, delivery });
  }
  await writer.close();
  await Promise.all(Array.from({ length: 50 }, (_, index) => write(`${index}@example.com`)));
  now += 5 * MINUTE;
  expect(await deliverDue()).toBe(50);
  expect(smtp.messages).toHaveLength(50);
});

test('no attempt starts when the time of a run is almost over', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => write(`${index}@example.com`)));
  now += 5 * MINUTE;
  smtp.faults.message = () => {
    now += 7 * MINUTE;
    return undefined;
  };
  await deliverDue();
  expect(smtp.messages.length).toBeLessThan(20);
  for (let run = 0; run < 20; run++) await deliverDue();
  expect(smtp.messages).toHaveLength(20);
});

test('a mail that the server refuses is not retried by itself', async () => {
  smtp.faults.recipient = () => new Reply(550, 'no such user');
  const id = await write();
  await deliver(id);
  expect(await deliveryOf(id)).toMatchObject({
    state: 'ERROR',
    attempts: 1,
    error: expect.stringContaining('550') as string,
  });
  now += 60 * MINUTE;
  expect(await deliverDue()).toBe(0);
});

describe('a mail with an unknown outcome', () => {
  test('is not sent again by itself when the connection broke', async () => {
    smtp.faults.message = () => 'drop';
    const id = await write();
    await deliver(id);
    now += 24 * 60 * MINUTE;
    await deliverDue();
    expect(smtp.messages).toHaveLength(1);
    expect(await deliveryOf(id)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('Set delivery.state to RETRY') as string,
    });
  });

  test('is not sent again by itself when the process died, and a late outcome is still recorded', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<undefined>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
    smtp.faults.message = () => {
      arrive(undefined);
      return answer;
    };
    const id = await write();
    const dying = deliver(id);
    await arrived;
    now += 4 * MINUTE;
    await deliver(id);
    await setState(id, 'RETRY');
    expect(await deliverDue()).toBe(0);
    await setState(id, 'PROCESSING');
    now += MINUTE;
    expect(await deliverDue()).toBe(1);
    expect(await deliverDue()).toBe(0);
    expect(smtp.messages).toHaveLength(1);
    expect(await deliveryOf(id)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('Set delivery.state to RETRY') as string,
    });
    resolve(undefined);
    await dying;
    expect(await deliveryOf(id)).toMatchObject({ state: 'SUCCESS', error: null });
  });

  test('has the outcome of the last attempt, also if an earlier one ends after it', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<'drop'>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
    smtp.faults.message = () => {
      arrive(undefined);
      return answer;
    };
    const id = await write();
    const late = deliver(id);
    await arrived;
    now += 6 * MINUTE;
    await deliverDue();
    await setState(id, 'RETRY');
    delete smtp.faults.message;
    await deliver(id);
    const outcome = await deliveryOf(id);
    expect(outcome).toMatchObject({ state: 'SUCCESS', error: null });
    resolve('drop');
    await late;
    expect(await deliveryOf(id)).toEqual(outcome);
  });

  test('is sent again when an admin asks for it', async () => {
    smtp.faults.message = () => 'drop';
    const id = await write();
    await deliver(id);
    smtp.faults.message = undefined;
    now += 48 * 60 * MINUTE;
    await setState(id, 'RETRY');
    expect(await deliverDue()).toBe(1);
    expect(await deliveryOf(id)).toMatchObject({ state: 'SUCCESS', attempts: 1 });
    expect(smtp.messages).toHaveLength(2);
  });
});

test.each([
  ['carbon copies, which would be left out', { cc: ['bob@example.com'] }, '"cc"'],
  ['no recipient', { to: [] }, 'at to'],
  ['a recipient that is no address', { to: ['ann@example.com, bob@example.com'] }, 'at to[0]'],
  ['a body that is no text', { message: { ...message, html: { path: '/etc/passwd' } } }, 'at message.html'],
  ['attachments', { message: { ...message, attachments: [{ path: '/etc/passwd' }] } }, '"attachments"'],
])('a mail that somebody else wrote with %s is refused', async (_case, changes, words) => {
  await firestore.doc('mail/foreign').set({ to: ['ann@example.com'], message, ...changes });
  await deliver('foreign');
  const { state, error } = await deliveryOf('foreign');
  expect({ state, error }).toEqual({ state: 'ERROR', error: expect.stringContaining(words) as string });
  expect(String(error).match(/✖/g)).toHaveLength(1);
  expect(smtp.messages).toEqual([]);
});

test('a mail that somebody else wrote, in the same shape, is sent', async () => {
  await firestore.doc('mail/foreign').set({ to: ['ann@example.com'], message });
  await deliver('foreign');
  expect(await deliveryOf('foreign')).toMatchObject({ state: 'SUCCESS' });
});

test('a mail that was deleted in the meantime is ignored', async () => {
  await deliver('gone');
  const id = await write();
  smtp.faults.message = () => {
    void firestore.doc(`mail/${id}`).delete();
    return undefined;
  };
  await deliver(id);
  expect(smtp.messages).toHaveLength(1);
});
