import { describe, expect, test } from 'vitest';
import { mailSchema, type Delivery } from '../firestore/documents/mail.ts';
import { delayAfter, failedDelivery, nextStep } from './delivery.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

const NEW: Delivery = {
  state: 'PENDING',
  startTime: minutes(0),
  endTime: null,
  attempts: 0,
  error: null,
  leaseExpireTime: null,
  leaseKey: null,
  dueTime: minutes(5),
  info: null,
};

const UNKNOWN = expect.stringContaining('It is not known whether the mail was sent.') as string;

describe('the next step of a delivery', () => {
  test.each<[string, Partial<Delivery>, 'send' | undefined]>([
    ['new', {}, 'send'],
    ['almost a day old, and never tried', { startTime: minutes(-1439), dueTime: minutes(-1) }, 'send'],
    ['pending and not due yet', { attempts: 1, dueTime: minutes(1) }, undefined],
    ['pending and due', { attempts: 1, dueTime: minutes(0) }, 'send'],
    ['leased', { state: 'PROCESSING', attempts: 1, leaseExpireTime: minutes(1) }, undefined],
    ['sent', { state: 'SUCCESS', attempts: 1, dueTime: minutes(-9) }, undefined],
    ['failed', { state: 'ERROR', attempts: 1, dueTime: minutes(-9) }, undefined],
    ['to be sent again', { state: 'RETRY', attempts: 1, startTime: minutes(-9999) }, 'send'],
    ['to be sent again and leased', { state: 'RETRY', leaseExpireTime: minutes(1) }, undefined],
    ['to be sent again after its lease', { state: 'RETRY', leaseExpireTime: minutes(-1) }, 'send'],
  ])('for a mail that is %s', (_case, delivery, kind) => {
    expect(nextStep({ ...NEW, ...delivery }, NOW)?.kind).toBe(kind);
  });

  test('is to send a mail of another program', () => {
    expect(nextStep(undefined, NOW)).toEqual({ kind: 'send' });
  });

  test('is to fail if the lease has expired, because the mail may have been sent', () => {
    const expired = { ...NEW, state: 'PROCESSING', attempts: 1, leaseExpireTime: minutes(0) } as const;
    expect(nextStep(expired, NOW)).toEqual({ kind: 'fail', error: UNKNOWN });
  });

  test('is to fail with the last error if the mail is a day old', () => {
    const old = { ...NEW, startTime: minutes(-1440), dueTime: minutes(0), attempts: 9, error: '421 busy' };
    expect(nextStep(old, NOW)).toEqual({
      kind: 'fail',
      error: 'Given up after 9 attempts in 24 hours. 421 busy',
    });
    expect(nextStep({ ...old, attempts: 0, error: null }, NOW)).toEqual({
      kind: 'fail',
      error: 'Given up after 0 attempts in 24 hours.',
    });
  });
});

describe('a delivery that another program wrote', () => {
  const read = (delivery: unknown) => mailSchema.parse({ delivery }).delivery;

  test.each([
    ['RETRY alone', { state: 'RETRY' }, { kind: 'send' }],
    ['PENDING alone', { state: 'PENDING' }, { kind: 'send' }],
    [
      'PENDING with wrong types',
      { state: 'PENDING', attempts: 'x', startTime: 1, info: [] },
      { kind: 'send' },
    ],
    ['PROCESSING alone', { state: 'PROCESSING' }, { kind: 'fail', error: UNKNOWN }],
    ['SUCCESS alone', { state: 'SUCCESS' }, undefined],
    ['ERROR alone', { state: 'ERROR' }, undefined],
    ['an unknown state', { state: 'SENT' }, { kind: 'fail', error: UNKNOWN }],
    ['no state', {}, { kind: 'fail', error: UNKNOWN }],
    ['a text', 'sent', { kind: 'fail', error: UNKNOWN }],
    ['null', null, { kind: 'fail', error: UNKNOWN }],
  ])('as %s has a next step', (_case, delivery, step) => {
    expect(nextStep(read(delivery), NOW)).toEqual(step);
  });
});

test('a failed delivery has a due time, so that the schedule finds it after an operator has set RETRY', () => {
  const written = mailSchema.parse({ delivery: { state: 'SENT' } }).delivery;
  expect(failedDelivery(written, 'unknown', NOW)).toMatchObject({ state: 'ERROR', dueTime: NOW });
});

test('the wait doubles with each attempt, up to two hours', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempts) => delayAfter(attempts) / 60_000)).toEqual([
    5, 10, 20, 40, 80, 120, 120, 120,
  ]);
});
