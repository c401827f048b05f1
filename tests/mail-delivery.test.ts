import { describe, expect, test } from 'vitest';
import { deliverDueMail, deliverMail } from '../functions/src/mail/deliver.service.ts';
import { Reply } from '../functions/src/mail/testing/smtp-server.ts';
import { BRAND } from '../shared/src/brand.ts';
import { MESSAGE, useMailDelivery } from './support/mail-delivery.ts';

const DAY_MINUTES = 24 * 60;

const mail = useMailDelivery();

describe('a new mail', () => {
  test('is sent once, and its document has the result', async () => {
    const id = await mail.write();
    await mail.deliver(id);
    expect(mail.smtp.messages).toHaveLength(1);
    expect(await mail.deliveryOf(id)).toMatchObject({
      state: 'SUCCESS',
      attempts: 1,
      error: null,
      leaseExpireTime: null,
      info: { messageId: `<${id}@hearth.example>`, accepted: ['ann@example.com'], rejected: [] },
    });
  });

  test('has the name of the app as its sender if MAIL_FROM is an address', async () => {
    const config = { ...mail.backend.config, mailFrom: 'no-reply@app.example' };
    await deliverMail({ ...mail.backend, config }, await mail.write());
    const [from = ''] = /^From: .*$/m.exec(mail.smtp.messages[0]?.raw ?? '') ?? [];
    expect(from.replaceAll('"', '').trim()).toBe(`From: ${BRAND.name} <no-reply@app.example>`);
  });

  test('is sent with the headers that let mail programs stop such mail', async () => {
    const url = 'https://app.example.com/api/mail/unsubscribe?token=0123456789abcdef';
    const headers = { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
    await mail.write({ headers });
    mail.passMinutes(5);
    await mail.deliverDue();
    const lines = mail.smtp.messages[0]?.raw.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
    expect(lines).toContain(`List-Unsubscribe: <${url}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test('is sent once if its event arrives several times, later or concurrently', async () => {
    const id = await mail.write();
    await Promise.all([mail.deliver(id), mail.deliver(id), mail.deliver(id), mail.deliverDue()]);
    await mail.deliver(id);
    mail.passMinutes(60);
    await mail.deliver(id);
    expect(await mail.deliverDue()).toBe(0);
    expect(mail.smtp.messages).toHaveLength(1);
  });

  test('is sent by the schedule if its event was lost', async () => {
    const id = await mail.write();
    expect(await mail.deliverDue()).toBe(0);
    mail.passMinutes(5);
    expect(await mail.deliverDue()).toBe(1);
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'SUCCESS' });
  });

  test('is left to the Trigger Email extension if that is configured', async () => {
    const id = await mail.write();
    mail.passMinutes(5);
    const config = { ...mail.backend.config, mailSmtpUrl: 'extension' };
    const backend = { ...mail.backend, config };
    await deliverMail(backend, id);
    expect(await deliverDueMail(backend)).toBe(0);
    expect(mail.smtp.messages).toEqual([]);
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
  });

  test('is kept for 30 days', async () => {
    const id = await mail.write();
    const stored = await mail.firestore.doc(`mail/${id}`).get();
    const deleteAt = stored.get('deleteAt') as { toMillis: () => number };
    expect(deleteAt.toMillis() - mail.now).toBe(30 * DAY_MINUTES * 60_000);
  });

  test('costs two reads and two writes; the schedule costs one read if no mail is due', async () => {
    const id = await mail.write();
    const asRequest = (work: () => Promise<unknown>) => () => work().then(() => new Response());
    await mail.metered.expectCost(
      asRequest(() => mail.deliver(id)),
      { reads: 2, writes: 2 },
    );
    await mail.metered.expectCost(asRequest(mail.deliverDue), { reads: 1 });
  });
});

describe('a mail that the server defers', () => {
  test('is tried again after growing waits, always with the same id, until the server accepts it', async () => {
    mail.smtp.faults.message = () => new Reply(451);
    const id = await mail.write();
    await mail.deliver(id);
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'PENDING', attempts: 1, endTime: null });
    for (const wait of [5, 10, 20]) {
      mail.passMinutes(wait - 1);
      await mail.deliver(id);
      expect(await mail.deliverDue()).toBe(0);
      mail.passMinutes(1);
      expect(await mail.deliverDue()).toBe(1);
    }
    mail.smtp.faults.message = undefined;
    mail.passMinutes(40);
    await mail.deliverDue();
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'SUCCESS', attempts: 5, error: null });
    const ids = mail.smtp.messages.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
    expect(ids).toEqual(Array(5).fill(`<${id}@hearth.example>`));
  });

  test('fails after a day', async () => {
    mail.smtp.faults.connect = () => new Reply(421);
    const id = await mail.write();
    await mail.deliver(id);
    for (let hour = 0; hour < 30; hour++) {
      mail.passMinutes(60);
      await mail.deliverDue();
    }
    const { state, error, attempts } = await mail.deliveryOf(id);
    expect({ state, error }).toEqual({
      state: 'ERROR',
      error: expect.stringContaining('Given up') as string,
    });
    expect(attempts).toBeGreaterThan(10);
    expect(await mail.deliverDue()).toBe(0);
  });

  test('does not stop the schedule from sending the others', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const ids = await Promise.all(names.map((name) => mail.write({ to: `${name}@example.com` })));
    mail.smtp.faults.recipient = (address) => (address.startsWith('b') ? new Reply(450) : undefined);
    mail.passMinutes(5);
    expect(await mail.deliverDue()).toBe(7);
    const states = await Promise.all(ids.map(async (id) => (await mail.deliveryOf(id))['state']));
    expect(states).toEqual(['SUCCESS', 'PENDING', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  });
});

test('the schedule sends all mail that is due, also behind a page of mail that it cannot send', async () => {
  const leaseExpireTime = new Date(mail.now + 60 * 60_000);
  const delivery = { state: 'RETRY', dueTime: new Date(0), leaseExpireTime };
  const leased = { to: ['leased@example.com'], message: MESSAGE, delivery };
  await Promise.all(Array.from({ length: 50 }, (_, index) => mail.writeRaw(`leased-${index}`, leased)));
  await Promise.all(Array.from({ length: 50 }, (_, index) => mail.write({ to: `${index}@example.com` })));
  mail.passMinutes(5);
  await mail.deliverDue();
  expect(mail.smtp.messages.map(({ to }) => to[0]).sort()).toEqual(
    Array.from({ length: 50 }, (_, index) => `${index}@example.com`).sort(),
  );
});

test('no attempt begins shortly before the end of a run', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => mail.write({ to: `${index}@example.com` })));
  mail.passMinutes(5);
  mail.smtp.faults.message = () => {
    mail.passMinutes(7);
    return undefined;
  };
  await mail.deliverDue();
  expect(mail.smtp.messages.length).toBeLessThan(20);
  for (let run = 0; run < 20; run++) await mail.deliverDue();
  expect(mail.smtp.messages).toHaveLength(20);
});

test('a mail that the server refuses fails immediately', async () => {
  mail.smtp.faults.recipient = () => new Reply(550, 'no such user');
  const id = await mail.write();
  await mail.deliver(id);
  expect(await mail.deliveryOf(id)).toMatchObject({
    state: 'ERROR',
    attempts: 1,
    error: expect.stringContaining('550') as string,
  });
  mail.passMinutes(60);
  expect(await mail.deliverDue()).toBe(0);
});

describe('a mail that may have been sent', () => {
  /** A server that replies when the test says so. */
  function slowServer<Answer extends 'drop' | undefined>() {
    const { promise: answer, resolve: reply } = Promise.withResolvers<Answer>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
    mail.smtp.faults.message = () => {
      arrive(undefined);
      return answer;
    };
    return { arrived, reply };
  }

  test('fails if the connection broke', async () => {
    mail.smtp.faults.message = () => 'drop';
    const id = await mail.write();
    await mail.deliver(id);
    mail.passMinutes(DAY_MINUTES);
    await mail.deliverDue();
    expect(mail.smtp.messages).toHaveLength(1);
    expect(await mail.deliveryOf(id)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('Set delivery.state to RETRY') as string,
    });
  });

  test('fails if the process did not end, and a late outcome is still recorded', async () => {
    const { arrived, reply } = slowServer<undefined>();
    const id = await mail.write();
    const slow = mail.deliver(id);
    await arrived;
    mail.passMinutes(4);
    await mail.deliver(id);
    await mail.setState(id, 'RETRY');
    expect(await mail.deliverDue()).toBe(0);
    await mail.setState(id, 'PROCESSING');
    mail.passMinutes(1);
    expect(await mail.deliverDue()).toBe(1);
    expect(await mail.deliverDue()).toBe(0);
    expect(mail.smtp.messages).toHaveLength(1);
    expect(await mail.deliveryOf(id)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('Set delivery.state to RETRY') as string,
    });
    reply(undefined);
    await slow;
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'SUCCESS', error: null });
  });

  test('has the outcome of the last attempt, also if an earlier one ends after it', async () => {
    const { arrived, reply } = slowServer<'drop'>();
    const id = await mail.write();
    const late = mail.deliver(id);
    await arrived;
    mail.passMinutes(6);
    await mail.deliverDue();
    await mail.setState(id, 'RETRY');
    delete mail.smtp.faults.message;
    await mail.deliver(id);
    const outcome = await mail.deliveryOf(id);
    expect(outcome).toMatchObject({ state: 'SUCCESS', error: null });
    reply('drop');
    await late;
    expect(await mail.deliveryOf(id)).toEqual(outcome);
  });

  test('is sent again at the request of an operator', async () => {
    mail.smtp.faults.message = () => 'drop';
    const id = await mail.write();
    await mail.deliver(id);
    mail.smtp.faults.message = undefined;
    mail.passMinutes(2 * DAY_MINUTES);
    await mail.setState(id, 'RETRY');
    expect(await mail.deliverDue()).toBe(1);
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'SUCCESS', attempts: 1 });
    expect(mail.smtp.messages).toHaveLength(2);
  });
});

test('a mail that was deleted is not delivered, and deleting it during an attempt is no error', async () => {
  await mail.deliver('deleted');
  const id = await mail.write();
  mail.smtp.faults.message = () => {
    void mail.firestore.doc(`mail/${id}`).delete();
    return undefined;
  };
  await mail.deliver(id);
  expect(mail.smtp.messages).toHaveLength(1);
});
