import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import { deliverMail } from '../functions/src/mail/deliver.service.ts';
import { refusal } from '../functions/src/refusals/refusals.ts';
import { MESSAGE, useMailDelivery } from './support/mail-delivery.ts';

const mail = useMailDelivery();

const FOREIGN = { to: ['ann@example.com'], message: MESSAGE };

const HEADERS = { 'List-Unsubscribe': '<x>', 'List-Unsubscribe-Post': 'y' };

describe('a mail written by another program or an operator', () => {
  test('is sent', async () => {
    await mail.writeRaw('foreign', FOREIGN);
    await mail.deliver('foreign');
    expect(await mail.deliveryOf('foreign')).toMatchObject({ state: 'SUCCESS' });
  });

  test('is sent when its event is repeated, if the first call fails before the lease', async () => {
    await mail.writeRaw('foreign', FOREIGN);
    const run = () => Promise.reject(refusal('busy'));
    const db = Object.create(mail.backend.db, { run: { value: run } }) as typeof mail.backend.db;
    // The event is repeated because the call rejects.
    await expect(deliverMail({ ...mail.backend, db }, 'foreign')).rejects.toMatchObject({ code: 'busy' });
    await mail.deliver('foreign');
    expect(mail.smtp.messages).toHaveLength(1);
  });

  test.each([
    ['carbon copies, which would be left out', { cc: ['bob@example.com'] }, '"cc"'],
    ['no recipient', { to: [] }, 'at to'],
    ['a text in place of the recipients', { to: 'ann@example.com' }, 'at to'],
    ['an invalid address', { to: ['ann@example.com, bob@example.com'] }, 'at to[0]'],
    [
      'a body that is not a text',
      { message: { ...MESSAGE, html: { path: '/etc/passwd' } } },
      'at message.html',
    ],
    ['attachments', { message: { ...MESSAGE, attachments: [{ path: '/etc/passwd' }] } }, '"attachments"'],
    ['another header', { headers: { ...HEADERS, Bcc: 'all@x.example' } }, '"Bcc"'],
    [
      'a line break in a header',
      { headers: { ...HEADERS, 'List-Unsubscribe': '<x>\r\nBcc: all@x.example' } },
      'at headers["List-Unsubscribe"]',
    ],
  ])('fails with %s', async (_case, change, words) => {
    await mail.writeRaw('foreign', { ...FOREIGN, ...change });
    await mail.deliver('foreign');
    const { state, error } = await mail.deliveryOf('foreign');
    expect({ state, error }).toEqual({ state: 'ERROR', error: expect.stringContaining(words) as string });
    expect(String(error).match(/✖/g)).toHaveLength(1);
    expect(mail.smtp.messages).toEqual([]);
  });
});

describe('a mail whose delivery is damaged', () => {
  const SENT = { state: 'SUCCESS', error: null, attempts: 1 };
  const FAILED = { state: 'ERROR', error: expect.stringContaining('is not known') as string };

  const DUE = new Date(0);

  const CASES: [damage: string, delivery: unknown, result: object, isFoundBySchedule: boolean][] = [
    ['RETRY without the other fields', { state: 'RETRY' }, SENT, false],
    ['RETRY with a due time only', { state: 'RETRY', dueTime: DUE }, SENT, true],
    ['PENDING with a due time only', { state: 'PENDING', dueTime: DUE }, SENT, true],
    ['wrong types', { state: 'PENDING', attempts: 'x', startTime: 1, info: 7, dueTime: DUE }, SENT, true],
    ['PROCESSING with a due time only', { state: 'PROCESSING', dueTime: DUE }, FAILED, true],
    ['an unknown state', { state: 'SENT', dueTime: DUE }, FAILED, false],
    ['no state', { attempts: 1, dueTime: DUE }, FAILED, false],
    ['a text', 'sent', FAILED, false],
    ['null', null, FAILED, false],
  ];

  test.each(CASES)('by %s is sent or fails when its event arrives', async (_damage, delivery, result) => {
    await mail.writeRaw('foreign', { ...FOREIGN, delivery });
    await mail.deliver('foreign');
    expect(await mail.deliveryOf('foreign')).toMatchObject(result);
    expect(mail.smtp.messages).toHaveLength(result === SENT ? 1 : 0);
  });

  test.each(CASES)('by %s does not stop the schedule', async (_damage, delivery, result, isFound) => {
    await mail.writeRaw('foreign', { ...FOREIGN, delivery });
    const id = await mail.write({ to: 'bob@example.com' });
    mail.passMinutes(5);
    expect(await mail.deliverDue()).toBe(isFound ? 2 : 1);
    expect(await mail.deliveryOf(id)).toMatchObject({ state: 'SUCCESS' });
    if (isFound) expect(await mail.deliveryOf('foreign')).toMatchObject(result);
    else expect(await mail.deliveryOf('foreign')).toEqual(asStored(delivery));
  });
});

/** A value with a Timestamp in the place of each Date. */
function asStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      inner instanceof Date ? Timestamp.fromDate(inner) : (inner as unknown),
    ]),
  );
}
