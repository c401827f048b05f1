import { beforeEach, describe, expect, test } from 'vitest';
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
  time = 15_000_000 - 1;
  await find(KEY_ID);
  expect(fetches).toBe(1);
  time = 20_000_000;
  expect(await find(KEY_ID)).toBeDefined();
  expect(fetches).toBe(2);
});

describe('in the last quarter of the time of the keys', () => {
  beforeEach(async () => {
    await find(KEY_ID);
    time = 15_000_000;
  });

  test('they are fetched again, and no request waits for it', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    expect(await find(KEY_ID)).toBeDefined();
    expect(await find(KEY_ID)).toBeDefined();
    expect(fetches).toBe(2);
    resolve(Response.json({ new: PUBLISHED_KEYS[KEY_ID] }, { headers }));
    expect(await find('new')).toBeDefined();
    time = 30_000_000 - 1;
    await find('new');
    expect(fetches).toBe(2);
  });

  test('a failed fetch is repeated after ten seconds, and the keys are used', async () => {
    answer = away;
    for (time of [15_000_000, 15_005_000, 15_009_999]) expect(await find(KEY_ID)).toBeDefined();
    expect(fetches).toBe(2);
    time = 15_010_000;
    expect(await find(KEY_ID)).toBeDefined();
    expect(fetches).toBe(3);
  });
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
  time = milliseconds * 0.75 - 1;
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

describe('after a failed fetch', () => {
  const failing = () => expect(find(KEY_ID)).rejects.toThrow('out of reach');
  let works: typeof answer;
  beforeEach(async () => {
    works = answer;
    answer = away;
    await failing();
  });

  test('requests fail for two seconds without another fetch', async () => {
    for (time of [1, 1_000, 1_999]) await failing();
    expect(fetches).toBe(1);
    time = 2_000;
    await failing();
    expect(fetches).toBe(2);
  });

  test('the pause begins when the fetch has failed', async () => {
    time = 2_000;
    answer = () => {
      time += 5_000;
      return away();
    };
    await failing();
    time += 1_999;
    await failing();
    expect(fetches).toBe(2);
  });

  test('keys are found again two seconds later', async () => {
    answer = works;
    time = 2_000;
    expect(await find(KEY_ID)).toBeDefined();
  });
});

test('an unknown key id is not taken for made-up while Google is out of reach', async () => {
  await find(KEY_ID);
  answer = away;
  time = 10_000;
  await expect(find('new')).rejects.toThrow('out of reach');
  time = 11_000;
  await expect(find('new')).rejects.toThrow('out of reach');
  expect(fetches).toBe(2);
  answer = () => Promise.resolve(Response.json({ new: PUBLISHED_KEYS[KEY_ID] }));
  time = 12_000;
  expect(await find('new')).toBeDefined();
});
