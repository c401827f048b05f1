import { expect, test } from 'vitest';
import { createDb } from '../firestore/db.ts';
import { createLimiters } from './limiters.ts';

const LIMITERS = createLimiters({
  db: createDb({ loadClient: () => Promise.reject(new Error()), auditDays: 1 }),
  now: () => new Date(),
});

const limitOf = (name: string) => ({ name, points: 2, seconds: 3600 });

test('a key over its limit is refused until its points are given back', async () => {
  const { consume, giveBack } = LIMITERS.perInstance(limitOf('given-back'));
  await consume('ada', 2);
  await expect(consume('ada')).rejects.toMatchObject({ code: 'too_many_requests' });
  await giveBack('ada', 2);
  await consume('ada');
});

test('limits with the same name share one counter', async () => {
  await LIMITERS.perInstance(limitOf('shared-name')).consume('ada', 2);
  const again = LIMITERS.perInstance(limitOf('shared-name')).consume('ada');
  await expect(again).rejects.toMatchObject({ code: 'too_many_requests' });
  await LIMITERS.perInstance(limitOf('other-name')).consume('ada');
});

test('each key has a limit of its own', async () => {
  const { consume } = LIMITERS.perInstance(limitOf('keys'));
  await consume('ada', 2);
  await consume('grace', 2);
});

test('a refused request leaves the points that are left to smaller requests', async () => {
  const { consume } = LIMITERS.perInstance({ ...limitOf('larger'), points: 100 });
  await consume('ada', 60);
  await expect(consume('ada', 50)).rejects.toMatchObject({ code: 'too_many_requests' });
  await consume('ada', 40);
  await expect(consume('ada')).rejects.toMatchObject({ code: 'too_many_requests' });
});
