import { beforeAll, expect, test } from 'vitest';
import { sweepOutdatedUploads } from '../functions/src/uploads/manage/sweep.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { formWith, png } from './support/files.ts';
import { adminFirestore, signUp, startSession } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { createTeam } from './support/teams.ts';

/** A Firestore of its own, because these sweeps run at a later time and would remove uploads of other tests. */
let firestore: MeteredFirestore;
let open: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  firestore = resources.use(await meterFirestore());
  open = resources.use(await serveApp({ config: { uploadRequiresAuth: false, anonymousUploadHours: 2 } }));
});

const upload = (headers: Record<string, string> = {}, query = '') =>
  call('POST', `${open.url}/api/upload${query}`, { headers, body: formWith(png(), 'photo.png') });

const urlOf = async (answer: Response) => ((await answer.json()) as { url: string }).url;

test('anonymous uploads are removed when their time is over, and nothing else is', async () => {
  const person = await signUp();
  const [passing, lasting] = [await urlOf(await upload()), await urlOf(await upload(person.bearer))];
  const inMinutes = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);

  expect(await sweepOutdatedUploads({ ...open.backend, now: inMinutes(119) })).toBe(0);
  expect((await fetch(passing)).status).toBe(200);
  expect(await sweepOutdatedUploads({ ...open.backend, now: inMinutes(121) })).toBe(1);
  expect((await fetch(passing)).ok).toBe(false);
  expect((await fetch(lasting)).status).toBe(200);
});

test('a sender with a token is the owner, and an invalid token is refused', async () => {
  const person = await signUp();
  const id = (await upload(person.bearer)).headers.get('X-Upload-Id') ?? '';
  expect((await adminFirestore().doc(`uploads/${id}`).get()).get('ownerId')).toBe(person.uid);
  expect((await upload({ Authorization: 'Bearer nonsense' })).status).toBe(401);
});

test('a cookie whose session has ended is refused once, and cleared so that its browser uploads anonymously', async () => {
  const cookie = await startSession(open.url, await signUp());
  const headers = { ...cookie, Origin: APP_URL };
  expect((await call('DELETE', `${open.url}/api/auth/session`, { headers })).status).toBe(204);
  const refused = await upload(headers);
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([
    401,
    [expect.stringMatching(/^__session=;/)],
  ]);
});

test('pages of foreign sites cannot upload with the browsers of their visitors', async () => {
  await using app = await serveApp({
    config: { uploadRequiresAuth: false, allowedOrigins: ['https://partner.example.com'] },
  });
  const uploadFrom = (origin: string, headers: Record<string, string> = {}) =>
    call('POST', `${app.url}/api/upload`, {
      headers: { Origin: origin, ...headers },
      body: formWith(png(), 'photo.png'),
    });
  const refused = await uploadFrom('https://evil.example');
  expect([refused.status, Object.keys((await refused.json()) as object)]).toEqual([403, ['error']]);
  expect((await uploadFrom('null')).status).toBe(403);
  expect((await uploadFrom(APP_URL)).status).toBe(200);
  expect((await uploadFrom('https://partner.example.com')).status).toBe(200);
  const { bearer } = await signUp();
  expect((await uploadFrom('https://evil.example', bearer)).status).toBe(200);
});

test('nobody manages anonymous uploads, and an anonymous sender cannot upload to a team', async () => {
  const person = await signUp();
  const id = (await upload()).headers.get('X-Upload-Id') ?? '';
  const answer = await call('DELETE', `${open.url}/api/uploads/${id}`, { headers: person.bearer });
  expect(answer.status).toBe(404);
  const teamId = await createTeam(open.url, person);
  expect((await upload({}, `?team=${teamId}`)).status).toBe(401);
});

test('senders over their limit cost no reads and no writes', async () => {
  await using app = await serveApp({ config: { uploadRequiresAuth: false, uploadsPerHour: 10 } });
  const send = async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    const body = formWith(png(), 'photo.png');
    return (await call('POST', `${app.url}/api/upload`, { headers, body })).status;
  };
  expect([await send(), await send()]).toEqual([200, 429]);
  const cost = await firestore.measure(async () => {
    expect([await send(), await send(), await send()]).toEqual([429, 429, 429]);
  });
  expect(cost).toEqual({ reads: 0, writes: 0, deletes: 0 });
});

test('anonymous uploads share no document that all would wait for', async () => {
  // The rate limit, the pending record, its completion.
  await firestore.expectCost(() => upload(), { reads: 2, writes: 3 });
});
