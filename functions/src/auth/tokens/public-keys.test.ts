import { beforeEach, expect, test } from 'vitest';
import { KEY_ID, PUBLISHED_KEYS } from '../testing/google-tokens.ts';
import { publicKeys, type FindKey } from './public-keys.ts';

let time: number;
let fetches: number;
/** Headers of the next answer. */
let headers: Record<string, string>;
let answer: () => Promise<Response>;
let find: FindKey;
beforeEach(() => {
  time = 0;
  fetches = 0;
  headers = { 'Cache-Control': 'public, max-age=20000, must-revalidate' };
  answer = () => Promise.resolve(Response.json(PUBLISHED_KEYS, { headers }));
  const fetch = () => {
    fetches += 1;
    return answer();
  };
  find = publicKeys({ url: 'https://google.test/keys', fetch, clock: () => time });
});

const away = () => Promise.reject(new Error('out of reach'));

test('keys are fetched again when the time of Cache-Control is over', async () => {
  await find(KEY_ID);
  time = 20_000_000 - 1;
  await find(KEY_ID);
  expect(fetches).toBe(1);
  time += 1;
  expect(await find(KEY_ID)).toBeDefined();
  expect(fetches).toBe(2);
});

test('the time that an answer spent in other caches counts', async () => {
  headers['Age'] = '19000';
  await find(KEY_ID);
  time = 1_000_000;
  await find(KEY_ID);
  expect(fetches).toBe(2);
});

test.each<[what: string, change: () => void, milliseconds: number]>([
  ['a minute if the answer comes from an outdated cache', () => (headers['Age'] = '30000'), 60_000],
  ['five minutes without Cache-Control', () => (headers = {}), 300_000],
])('keys are kept for %s', async (_what, change, milliseconds) => {
  change();
  await find(KEY_ID);
  time = milliseconds - 1;
  await find(KEY_ID);
  expect(fetches).toBe(1);
  time = milliseconds;
  await find(KEY_ID);
  expect(fetches).toBe(2);
});

test('concurrent calls share one fetch', async () => {
  const found = await Promise.all([find(KEY_ID), find(KEY_ID), find('another')]);
  expect([fetches, found.map((key) => key !== undefined)]).toEqual([1, [true, true, false]]);
});

test('an unknown key id causes at most one fetch in ten seconds', async () => {
  await find(KEY_ID);
  for (time of [1, 5_000, 9_999]) expect(await find('made-up')).toBeUndefined();
  expect(fetches).toBe(1);
  time = 10_000;
  await find('made-up');
  await find('made-up, too');
  expect(fetches).toBe(2);
});

test('a new key of Google is found', async () => {
  await find(KEY_ID);
  time = 10_000;
  answer = () => Promise.resolve(Response.json({ ...PUBLISHED_KEYS, new: PUBLISHED_KEYS[KEY_ID] }));
  expect(await find('new')).toBeDefined();
});

test('a key that Google has withdrawn is no longer found', async () => {
  await find(KEY_ID);
  time = 20_000_000;
  answer = () => Promise.resolve(Response.json({}));
  expect(await find(KEY_ID)).toBeUndefined();
});

test('known keys are used while Google is out of reach, until their time is over', async () => {
  await find(KEY_ID);
  answer = away;
  time = 19_999_999;
  expect(await find(KEY_ID)).toBeDefined();
  time = 20_000_000;
  await expect(find(KEY_ID)).rejects.toThrow('out of reach');
});

test('a failed fetch is not kept', async () => {
  const works = answer;
  answer = away;
  await expect(find(KEY_ID)).rejects.toThrow('out of reach');
  answer = works;
  expect(await find(KEY_ID)).toBeDefined();
});
