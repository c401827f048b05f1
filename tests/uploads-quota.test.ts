import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_PLANS } from '../functions/src/testing/sample-plans.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { formWith, pngOfSize } from './support/files.ts';
import { signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { createTeam } from './support/teams.ts';
import { documentedBytes, usedBytes } from './support/uploads.ts';

/** The free plan holds two and a half of these. */
const SIZE = 400_000;

let app: AppUnderTest;
beforeAll(async () => {
  const [free, ...paid] = SAMPLE_PLANS;
  const small = { ...free, limits: { ...free.limits, storageMegabytes: 1, fileMegabytes: 1 } };
  app = await serveApp({ config: { uploadMaxBytes: 2_000_000, plans: [small, ...paid] } });
});
afterAll(() => app[Symbol.asyncDispose]());

const upload = ({ bearer }: Person, size = SIZE, query = '') =>
  call('POST', `${app.url}/api/upload${query}`, {
    headers: bearer,
    body: formWith(pngOfSize(size), 'photo.png'),
  });

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).sort();

describe('the quota', () => {
  test('is exact for concurrent uploads', async () => {
    const owner = await signUp();
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(owner)));
    expect(statusesOf(answers)).toEqual([200, 200, 403, 403, 403, 403, 403, 403]);
    expect([await usedBytes(owner.uid), await documentedBytes(owner.uid)]).toEqual([2 * SIZE, 2 * SIZE]);
  });

  test('allows a file that fills it to the last byte, and no more', async () => {
    const owner = await signUp();
    expect((await upload(owner, 1_000_000)).status).toBe(200);
    const answer = await upload(owner, 100);
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: 'Your storage of 1 MB is full. Delete files or choose a larger plan.' },
    ]);
  });

  test('has room again when a file is removed', async () => {
    const owner = await signUp();
    const first = await upload(owner, 900_000);
    expect((await upload(owner)).status).toBe(403);
    const id = first.headers.get('X-Upload-Id') ?? '';
    await call('DELETE', `${app.url}/api/uploads/${id}`, { headers: owner.bearer });
    expect((await upload(owner)).status).toBe(200);
  });

  test('does not count uploads that are refused or fail', async () => {
    const owner = await signUp();
    const body = formWith('<html>', 'photo.png');
    await call('POST', `${app.url}/api/upload`, { headers: owner.bearer, body });
    const bucket = () => Promise.reject(new Error('out of reach'));
    await using broken = await serveApp({ backend: { bucket } });
    await call('POST', `${broken.url}/api/upload`, {
      headers: owner.bearer,
      body: formWith(pngOfSize(SIZE), 'photo.png'),
    });
    // An object may have arrived although Storage did not answer, so its bytes count until the sweep has looked for it.
    expect([await usedBytes(owner.uid), await documentedBytes(owner.uid)]).toEqual([SIZE, SIZE]);
  });

  test('is separate for a team', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    expect((await upload(owner, 900_000)).status).toBe(200);
    expect((await upload(owner, 900_000, `?team=${teamId}`)).status).toBe(200);
    expect((await upload(owner, 900_000, `?team=${teamId}`)).status).toBe(403);
    expect([await usedBytes(owner.uid), await usedBytes(teamId)]).toEqual([900_000, 900_000]);
  });
});

test('a file larger than the plan allows is refused, whatever the configuration allows', async () => {
  const owner = await signUp();
  expect((await upload(owner, 1_000_001)).status).toBe(413);
  expect(await usedBytes(owner.uid)).toBe(0);
});
