import { beforeEach, expect, test } from 'vitest';
import { lookUpCounter, type CountLookUp } from './look-up-limit.ts';

/** The monotonic clock. */
let time: number;
let count: CountLookUp;
beforeEach(() => {
  time = 0;
  count = lookUpCounter(
    {
      perSignIn: { name: 'test', points: 3, seconds: 60 },
      allUntrusted: { name: 'untrusted', points: 4, seconds: 60 },
    },
    () => time,
  );
});

const FIRST = { uid: 'ada', signedInAt: new Date(1_000) };
const SECOND = { uid: 'ada', signedInAt: new Date(2_000) };
const THIRD = { uid: 'ada', signedInAt: new Date(3_000) };

const OVER = expect.objectContaining({ status: 429, code: 'too_many_requests' }) as unknown;

/** The number of look-ups that are not refused. */
function accepted(signIn: Parameters<CountLookUp>[0], isTrusted = true): number {
  let passed = 0;
  for (let index = 0; index < 100; index += 1) {
    try {
      count(signIn, isTrusted);
      passed += 1;
    } catch (error) {
      expect(error).toEqual(OVER);
    }
  }
  return passed;
}

test('look-ups of one sign-in are limited', () => {
  expect(accepted(FIRST)).toBe(3);
});

test('the limit begins again when its time is over, and the refusal says when', () => {
  accepted(FIRST);
  time = 59_500;
  expect(() => {
    count(FIRST, true);
  }).toThrow(expect.objectContaining({ retryAfter: 1 }));
  time = 60_000;
  expect(accepted(FIRST)).toBe(3);
});

test('a flood with a stolen token does not refuse a later sign-in of the user', () => {
  accepted(FIRST);
  expect(accepted(SECOND)).toBe(3);
});

test('many sign-ins do not give a user many times the limit', () => {
  expect([FIRST, SECOND, THIRD].map((signIn) => accepted(signIn))).toEqual([3, 3, 0]);
});

test('the limit of one user does not affect another', () => {
  for (const signIn of [FIRST, SECOND, THIRD]) accepted(signIn);
  expect(accepted({ ...FIRST, uid: 'eve' })).toBe(3);
});

test('sign-ins that are not trusted have a common limit, and leave the others theirs', () => {
  const others = ['eve', 'mallory', 'trudy'].map((uid) => accepted({ ...FIRST, uid }, false));
  expect(others).toEqual([3, 1, 0]);
  expect(accepted(FIRST)).toBe(3);
  time = 60_000;
  expect(accepted({ ...FIRST, uid: 'trudy' }, false)).toBe(3);
});
