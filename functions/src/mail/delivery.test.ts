import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import { delayAfter, judge, type Delivery } from './delivery.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const minutes = (count: number) => Timestamp.fromMillis(NOW.getTime() + count * 60_000);

const FRESH: Delivery = {
  state: 'PENDING',
  startTime: minutes(0),
  endTime: null,
  attempts: 0,
  error: null,
  leaseExpireTime: null,
  dueTime: minutes(5),
  info: null,
};

describe('what is done with a mail', () => {
  test.each<[string, Partial<Delivery>, 'send' | 'leave']>([
    ['new', {}, 'send'],
    ['a day old but a moment, and never tried', { startTime: minutes(-1439), dueTime: minutes(-1) }, 'send'],
    ['waiting after an attempt', { attempts: 1, dueTime: minutes(1) }, 'leave'],
    ['due again', { attempts: 1, dueTime: minutes(0) }, 'send'],
    ['being sent', { state: 'PROCESSING', attempts: 1, leaseExpireTime: minutes(1) }, 'leave'],
    ['sent', { state: 'SUCCESS', attempts: 1, dueTime: minutes(-9) }, 'leave'],
    ['failed', { state: 'ERROR', attempts: 1, dueTime: minutes(-9) }, 'leave'],
    ['wanted again', { state: 'RETRY', attempts: 1, startTime: minutes(-9999) }, 'send'],
    ['wanted again while being sent', { state: 'RETRY', leaseExpireTime: minutes(1) }, 'leave'],
    ['wanted again long after being sent', { state: 'RETRY', leaseExpireTime: minutes(-1) }, 'send'],
  ])('%s', (_case, delivery, verdict) => {
    expect(judge({ ...FRESH, ...delivery }, NOW)).toBe(verdict);
  });

  test('written by something that knows nothing of deliveries: sent', () => {
    expect(judge(undefined, NOW)).toBe('send');
  });

  test('left by a process that died: not sent again by itself, and said so', () => {
    const dead = { ...FRESH, state: 'PROCESSING', attempts: 1, leaseExpireTime: minutes(0) } as const;
    expect(judge(dead, NOW)).toEqual({ error: expect.stringContaining('not known whether') as string });
  });

  test('a day old: given up, with the last reason', () => {
    const old = { ...FRESH, startTime: minutes(-1440), dueTime: minutes(0), attempts: 9, error: '421 busy' };
    expect(judge(old, NOW)).toEqual({ error: 'Given up after 9 attempts in 24 hours. 421 busy' });
    expect(judge({ ...old, attempts: 0, error: null }, NOW)).toEqual({
      error: 'Given up after 0 attempts in 24 hours.',
    });
  });
});

test('the wait doubles with each attempt, up to two hours', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempts) => delayAfter(attempts) / 60_000)).toEqual([
    5, 10, 20, 40, 80, 120, 120, 120,
  ]);
});
