import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Backend } from '../functions/src/backend.ts';
import { StorageFailure } from '../functions/src/uploads/bucket/failures.ts';
import { sweepLostUploads } from '../functions/src/uploads/manage/sweep-lost.service.ts';
import { bucketFailing, finalizeLatest, isThere, sendAs, storedBy } from './support/direct-uploads.ts';
import { png } from './support/files.ts';
import { useMeteredApp } from './support/metered-app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { createTeam } from './support/teams.ts';

/** Direct uploads whose event was lost, and the sweep that removes them. */

/** A Firestore of its own, because the sweep stores its position there. */
const { app, firestore } = useMeteredApp();

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => () => new Date(Date.now() + hours * HOUR_MS);
const positionDocument = () => adminFirestore().doc('sweeps/objects');
const PICTURE = png(40, 30);

beforeEach(async () => {
  await positionDocument().set({ since: new Date(Date.now() - HOUR_MS) });
});

/** Each test has a bucket of its own, because the sweep visits all objects. */
async function newBucket(): Promise<{ backend: Backend }> {
  const { storage } = await app.backend.bucket();
  const own = storage.bucket(`lost-${randomBytes(8).toString('hex')}`);
  return { backend: { ...app.backend, bucket: () => Promise.resolve(own) } };
}

type InBucket = Awaited<ReturnType<typeof newBucket>>;

const newId = () => randomBytes(16).toString('hex');

/** Stores an object as a client does. No event arrives, because no function listens to this bucket. */
async function put({ backend }: InBucket, path: string, metadata: Record<string, string> = {}) {
  await (
    await backend.bucket()
  )
    .file(path)
    .save(PICTURE, { contentType: 'image/png', metadata: { metadata } });
  return path;
}

async function pathsIn({ backend }: InBucket): Promise<string[]> {
  const [files] = await (await backend.bucket()).getFiles();
  return files.map(({ name }) => name).sort();
}

const sweep = ({ backend }: InBucket, hours = 26, pageSize?: number) =>
  sweepLostUploads({ ...backend, now: inHours(hours) }, pageSize);

async function writeRecord(id: string, path: unknown): Promise<void> {
  const upload = { ownerId: 'u', createdBy: 'u', name: 'a.png', contentType: 'image/png', size: 1 };
  const state = { status: 'pending', reason: null, url: null, source: 'client', visibility: 'public' };
  const bytes = { generation: null, md5Hash: null, dimensions: null, variants: [], possibleVariants: [] };
  const times = { createdAt: new Date(), deleteAt: null };
  await adminFirestore()
    .doc(`uploads/${id}`)
    .set({ ...upload, ...state, ...bytes, ...times, path });
}

test('an upload without a record is removed when its event can no longer come', async () => {
  const bucket = await newBucket();
  await put(bucket, `uploads/u/${newId()}/a.png`);
  expect(await sweep(bucket, 24)).toBe(0);
  expect(await pathsIn(bucket)).toHaveLength(1);
  await positionDocument().update({ startedAt: new Date(0) });
  expect(await sweep(bucket)).toBe(1);
  expect(await pathsIn(bucket)).toEqual([]);
});

test('an upload stays if its record names it, also a damaged record', async () => {
  const bucket = await newBucket();
  const [named, damaged, other] = [newId(), newId(), newId()];
  await writeRecord(named, await put(bucket, `uploads/u/${named}/a.png`));
  await put(bucket, `uploads/u/${damaged}/a.png`);
  await writeRecord(damaged, 7);
  await writeRecord(other, `uploads/v/${other}/a.png`);
  await put(bucket, `uploads/u/${other}/a.png`);
  expect(await sweep(bucket)).toBe(1);
  expect(await pathsIn(bucket)).toEqual([`uploads/u/${named}/a.png`, `uploads/u/${damaged}/a.png`].sort());
});

test('objects that are no direct uploads stay, and an id that no record can have does not', async () => {
  const bucket = await newBucket();
  const others = [
    'uploads/a.png',
    'uploads/u/a.png',
    `uploads/u/${newId()}/b/a.png`,
    `avatars/u/${newId()}/a.png`,
  ];
  for (const path of [...others, 'uploads/u/__id__/a.png']) await put(bucket, path);
  expect(await sweep(bucket)).toBe(1);
  expect(await pathsIn(bucket)).toEqual(others.sort());
});

test('objects from before the first run in a database stay', async () => {
  const bucket = await newBucket();
  await positionDocument().delete();
  await put(bucket, `uploads/u/${newId()}/a.png`);
  expect(await sweep(bucket, 1)).toBe(0);
  expect(await sweep(bucket, 50)).toBe(0);
  expect(await pathsIn(bucket)).toHaveLength(1);
});

test.each(['client', 'api'])(
  'a stored file of %s stays although its record is missing, as after an older backup was restored',
  async (source) => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    await adminFirestore().doc(`uploads/${sent.id}`).delete();
    expect(await sweep(await copyOf(person))).toBe(0);
  },
);

test('a file that was sent directly to a team stays after it was stored', async () => {
  const person = await signUp();
  const team = await createTeam(app.url, person);
  const sent = await sendAs(person, PICTURE, { contentType: 'image/png', customMetadata: { team } });
  await finalizeLatest(app, sent);
  await adminFirestore().doc(`uploads/${sent.id}`).delete();
  expect(await sweep(await copyOf(person))).toBe(0);
});

/** A bucket with copies of the objects of a person, with their metadata. */
async function copyOf({ uid }: Person): Promise<InBucket> {
  const copy = await newBucket();
  const target = await copy.backend.bucket();
  const [files] = await (await app.backend.bucket()).getFiles({ prefix: `uploads/${uid}/` });
  expect(files).toHaveLength(1);
  for (const file of files) {
    const [[bytes], [{ metadata = {} }]] = await Promise.all([file.download(), file.getMetadata()]);
    await target.file(file.name).save(bytes, { metadata: { metadata } });
  }
  return copy;
}

test('a pass visits all pages once a day, and reads records only for objects without our mark', async () => {
  const bucket = await newBucket();
  const lost = [newId(), newId(), newId()];
  for (const id of lost) await put(bucket, `uploads/u/${id}/a.png`);
  for (const id of [newId(), newId()]) await put(bucket, `uploads/u/${id}/a.png`, { writtenBy: 'backend' });
  const run = async () => {
    expect(await sweep(bucket, 26, 2)).toBe(3);
    return new Response();
  };
  await firestore.expectCost(run, { reads: 1 + 3, writes: 3 });
  expect((await positionDocument().get()).get('after')).toBeNull();
  await put(bucket, `uploads/u/${newId()}/a.png`);
  expect(await sweep(bucket, 48)).toBe(0);
  expect(await sweep(bucket, 49)).toBe(1);
});

test('a run that has no more time is continued by the next one', async () => {
  const bucket = await newBucket();
  for (let count = 0; count < 3; count += 1) await put(bucket, `uploads/u/${newId()}/a.png`);
  let now = inHours(26)().getTime();
  const elapsing = () => new Date((now += 20_000));
  expect(await sweepLostUploads({ ...bucket.backend, now: elapsing }, 1)).toBe(1);
  expect((await positionDocument().get()).get('after')).toEqual(expect.any(String));
  expect(await sweep(bucket, 27)).toBe(2);
});

test('the list begins again if Storage no longer continues it', async () => {
  const bucket = await newBucket();
  await put(bucket, `uploads/u/${newId()}/a.png`);
  await positionDocument().update({ after: 'outdated', startedAt: new Date() });
  const real = await bucket.backend.bucket();
  const getFiles = (query: { pageToken?: string }) =>
    query.pageToken === undefined
      ? real.getFiles(query)
      : Promise.reject(Object.assign(new Error('Invalid argument'), { code: 400 }));
  const refusing = Object.assign(Object.create(real) as typeof real, { getFiles });
  expect(await sweep({ backend: { ...bucket.backend, bucket: () => Promise.resolve(refusing) } })).toBe(1);
});

test('a page that Storage does not list at the moment is the first one of the next run', async () => {
  const bucket = await newBucket();
  await positionDocument().update({ after: 'page 3', startedAt: new Date() });
  const real = await bucket.backend.bucket();
  const getFiles = (query: { pageToken?: string }) =>
    query.pageToken === undefined
      ? real.getFiles(query)
      : Promise.reject(Object.assign(new Error('Unavailable'), { code: 503 }));
  const failing = Object.assign(Object.create(real) as typeof real, { getFiles });
  const backend = { ...bucket.backend, bucket: () => Promise.resolve(failing) };
  await expect(sweep({ backend })).rejects.toThrow();
  expect((await positionDocument().get()).get('after')).toBe('page 3');
});

test('while Storage does not list, the position stays', async () => {
  const bucket = await newBucket();
  await positionDocument().update({ after: 'next', startedAt: new Date() });
  const real = await bucket.backend.bucket();
  const getFiles = () => Promise.reject(new Error('out of reach'));
  const failing = Object.assign(Object.create(real) as typeof real, { getFiles });
  const swept = sweep({ backend: { ...bucket.backend, bucket: () => Promise.resolve(failing) } });
  await expect(swept).rejects.toThrow(StorageFailure);
  expect((await positionDocument().get()).get('after')).toBe('next');
});

test('an object that cannot be removed does not keep the others, and is removed by the next pass', async () => {
  const bucket = await newBucket();
  const [blocked, other] = [`uploads/u/${newId()}/a.png`, `uploads/u/${newId()}/a.png`];
  for (const path of [blocked, other]) await put(bucket, path);
  const failing = bucketFailing({ ...app, backend: bucket.backend }, ['delete'], blocked);
  expect(await sweep({ backend: { ...bucket.backend, bucket: failing } })).toBe(1);
  expect(await pathsIn(bucket)).toEqual([blocked]);
  expect(await sweep(bucket, 50)).toBe(1);
  expect(await isThere({ ...app, backend: bucket.backend }, blocked)).toBe(false);
});
