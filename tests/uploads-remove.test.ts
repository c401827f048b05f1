import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeUploads } from '../functions/src/uploads/records/remove.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { formWith, png } from './support/files.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function uploadAs({ bearer }: Person): Promise<string> {
  const body = formWith(png(), 'photo.png');
  const response = await call('POST', `${app.url}/api/upload`, { headers: bearer, body });
  return ((await response.json()) as { url: string }).url;
}

async function leftOf({ uid }: Person): Promise<{ objects: number; documents: number }> {
  const [objects] = await (await app.backend.bucket()).getFiles({ prefix: `uploads/${uid}/` });
  const documents = await adminFirestore().collection('uploads').where('ownerId', '==', uid).get();
  return { objects: objects.length, documents: documents.size };
}

test('the uploads of an owner are removed in batches, and no others are', async () => {
  const [owner, other] = await Promise.all([signUp(), signUp()]);
  const kept = await uploadAs(other);
  for (let count = 0; count < 5; count++) await uploadAs(owner);

  expect(await purgeUploads(app.backend, owner.uid, 2)).toBe(2);
  expect(await leftOf(owner)).toEqual({ objects: 3, documents: 3 });
  expect(await purgeUploads(app.backend, owner.uid, 250)).toBe(3);
  expect(await leftOf(owner)).toEqual({ objects: 0, documents: 0 });
  expect(await purgeUploads(app.backend, owner.uid, 250)).toBe(0);
  expect((await fetch(kept)).status).toBe(200);
});

test('an upload without an object is removed as well', async () => {
  const owner = await signUp();
  await uploadAs(owner);
  await (await app.backend.bucket()).deleteFiles({ prefix: `uploads/${owner.uid}/` });

  expect(await purgeUploads(app.backend, owner.uid, 250)).toBe(1);
  expect(await leftOf(owner)).toEqual({ objects: 0, documents: 0 });
});

test('while Storage fails, the record stays and names the object', async () => {
  const owner = await signUp();
  await uploadAs(owner);
  const bucket = () => Promise.reject(new Error('out of reach'));

  await expect(purgeUploads({ ...app.backend, bucket }, owner.uid, 250)).rejects.toThrow('out of reach');
  expect(await leftOf(owner)).toEqual({ objects: 1, documents: 1 });
});

test('two concurrent removals leave nothing behind', async () => {
  const owner = await signUp();
  for (let count = 0; count < 3; count++) await uploadAs(owner);

  await Promise.all([1, 2].map(() => purgeUploads(app.backend, owner.uid, 250)));
  expect(await leftOf(owner)).toEqual({ objects: 0, documents: 0 });
});
