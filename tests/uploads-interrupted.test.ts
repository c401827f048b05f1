import { describe, expect, test } from 'vitest';
import type { Db } from '../functions/src/firestore/db.ts';
import { sweepLostUploads } from '../functions/src/uploads/manage/sweep-lost.service.ts';
import { sweepOutdatedUploads } from '../functions/src/uploads/manage/sweep.service.ts';
import { refuseUpload } from '../functions/src/uploads/records/upload.store.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  bucketFailing,
  bucketListing,
  documentOf,
  eventOf,
  isThere,
  finalize,
  sendAs,
  storageAfter,
} from './support/direct-uploads.ts';
import { formWith, png } from './support/files.ts';
import { useMeteredApp } from './support/metered-app.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call } from './support/requests.ts';
import { documentedBytes, usedBytes } from './support/uploads.ts';

/** A Firestore of its own, because these sweeps run at a later time and would remove uploads of other tests. */
const { app, firestore } = useMeteredApp();

const inHours = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);

describe('an event whose handling dies', () => {
  /** An app in which only this call fails. */
  function failing(method: 'getUser' | 'exists' | 'download'): AppUnderTest {
    const fail = () => Promise.reject(new Error('out of reach'));
    if (method !== 'getUser') return storageAfter(app, method, fail);
    const auth = Object.assign(Object.create(app.backend.auth) as typeof app.backend.auth, {
      getUser: fail,
    });
    return { ...app, backend: { ...app.backend, auth } };
  }

  test.each(['getUser', 'exists', 'download'] as const)(
    'at %s is finished by the next event',
    async (method) => {
      const person = await signUp();
      const sent = await sendAs(person);
      const event = await eventOf(app, sent.path);
      await expect(finalize(failing(method), event)).rejects.toThrow();
      await finalize(app, event);
      expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
      expect(await usedBytes(person.uid)).toBe(await documentedBytes(person.uid));
    },
  );

  test('and never comes again leaves nothing after the sweep, and only its own bytes are given back', async () => {
    const person = await signUp();
    const other = await sendAs(person);
    await finalize(app, await eventOf(app, other.path));
    const sent = await sendAs(person);
    await expect(finalize(failing('download'), await eventOf(app, sent.path))).rejects.toThrow();
    await sweepOutdatedUploads({ ...app.backend, now: inHours(2) });
    expect([await isThere(app, sent.path), await documentOf(sent)]).toEqual([false, undefined]);
    expect(await usedBytes(person.uid)).toBe(png(40, 30).length);
    expect(await documentedBytes(person.uid)).toBe(png(40, 30).length);
  });

  test('before it is registered and never comes again leaves nothing after two days', async () => {
    const person = await signUp();
    const backend = { ...app.backend, bucket: bucketListing(app, person) };
    await sweepLostUploads(backend);
    const sent = await sendAs(person);
    await expect(finalize(failing('getUser'), await eventOf(app, sent.path))).rejects.toThrow();
    await sweepOutdatedUploads({ ...backend, now: inHours(26) });
    expect(await sweepLostUploads({ ...backend, now: inHours(26) })).toBe(1);
    expect([await isThere(app, sent.path), await documentOf(sent)]).toEqual([false, undefined]);
  });

  test.each([
    ['page by page', 0, 3],
    ['not after its time', 500_000, 0],
  ])('and never comes again is removed by a sweep %s', async (_when, elapsingMs, removed) => {
    const person = await signUp();
    for (let count = 0; count < 3; count += 1) {
      const sent = await sendAs(person);
      await expect(finalize(failing('download'), await eventOf(app, sent.path))).rejects.toThrow();
    }
    let now = Date.now() + 2 * 3_600_000;
    const elapsing = () => new Date((now += elapsingMs));
    expect(await sweepOutdatedUploads({ ...app.backend, now: elapsing }, 1)).toBe(removed);
    await sweepOutdatedUploads({ ...app.backend, now: () => new Date(now) });
    expect(await usedBytes(person.uid)).toBe(0);
  });

  test('and is late keeps a file that another event has stored and that was revoked since', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    const event = await eventOf(app, sent.path);
    const overtaken = storageAfter(app, 'download', async () => {
      await finalize(app, event);
      await call('POST', `${app.url}/api/uploads/${sent.id}/revoke`, { headers: person.bearer });
      throw Object.assign(new Error('No such generation'), { code: 404 });
    });
    await finalize(overtaken, event);
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
    expect([await isThere(app, sent.path), await usedBytes(person.uid)]).toEqual([true, png(40, 30).length]);
  });

  test('keeps its upload if it completes while the sweep refuses others', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    const event = await eventOf(app, sent.path);
    await expect(finalize(failing('download'), event)).rejects.toThrow();
    // The sweep has found it before it was completed.
    await finalize(app, event);
    await refuseUpload(app.backend.db, sent.id, { reason: 'abandoned', deleteAt: new Date() });
    expect(await documentOf(sent)).toMatchObject({ status: 'stored', deleteAt: null });
  });

  test('cannot complete an upload that the sweep refused', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    const event = await eventOf(app, sent.path);
    await expect(finalize(failing('download'), event)).rejects.toThrow();
    const seen: unknown[] = [];
    const { backend } = storageAfter(app, 'delete', async () => {
      await finalize(app, event);
      seen.push((await documentOf(sent))?.['status']);
    });
    const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);
    expect(await sweepOutdatedUploads({ ...backend, now: inTwoHours })).toBe(1);
    expect(seen).toEqual(['refused']);
    expect([await isThere(app, sent.path), await usedBytes(person.uid)]).toEqual([false, 0]);
  });

  test('removes an upload that the sweep refused during validation', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    const overtaken = storageAfter(app, 'download', () =>
      refuseUpload(app.backend.db, sent.id, { reason: 'abandoned', deleteAt: new Date() }),
    );
    await finalize(overtaken, await eventOf(app, sent.path));
    expect(await documentOf(sent)).toMatchObject({ status: 'refused', url: null });
    expect([await isThere(app, sent.path), await usedBytes(person.uid)]).toEqual([false, 0]);
  });

  test('and whose object cannot be removed does not block the others', async () => {
    const person = await signUp();
    const [blocked, other] = [await sendAs(person), await sendAs(person)];
    for (const { path } of [blocked, other]) {
      await expect(finalize(failing('download'), await eventOf(app, path))).rejects.toThrow();
    }
    const inTwoHours = { ...app.backend, now: () => new Date(Date.now() + 2 * 3_600_000) };
    await sweepOutdatedUploads({ ...inTwoHours, bucket: bucketFailing(app, ['delete'], blocked.path) }, 1);
    expect([await isThere(app, blocked.path), await isThere(app, other.path)]).toEqual([true, false]);
    expect(await sweepOutdatedUploads(inTwoHours)).toBe(0);
    const inFourHours = { ...app.backend, now: () => new Date(Date.now() + 4 * 3_600_000) };
    await sweepOutdatedUploads(inFourHours);
    expect(await isThere(app, blocked.path)).toBe(false);
  });

  test('and whose refusal by the sweep fails does not stop the others', async () => {
    const person = await signUp();
    const [failed, other] = [await sendAs(person), await sendAs(person)];
    for (const { path } of [failed, other]) {
      await expect(finalize(failing('download'), await eventOf(app, path))).rejects.toThrow();
    }
    let runs = 0;
    const run: Db['run'] = (body) => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('busy')) : app.backend.db.run(body);
    };
    const db = Object.create(app.backend.db, { run: { value: run } }) as Db;
    const inTwoHours = { ...app.backend, now: () => new Date(Date.now() + 2 * 3_600_000) };
    expect(await sweepOutdatedUploads({ ...inTwoHours, db })).toBe(1);
    expect(await sweepOutdatedUploads(inTwoHours)).toBe(1);
    expect([await documentOf(failed), await documentOf(other)]).toEqual([undefined, undefined]);
  });

  test('and whose owner removes it while the sweep fails to remove it does not stop the others', async () => {
    const person = await signUp();
    const [removed, other] = [await sendAs(person), await sendAs(person)];
    for (const { id, path } of [removed, other]) {
      await finalize(app, await eventOf(app, path));
      await adminFirestore()
        .doc(`uploads/${id}`)
        .update({ deleteAt: new Date(0) });
    }
    const bucket = bucketFailing(app, ['delete'], removed.path);
    const { backend } = storageAfter({ ...app, backend: { ...app.backend, bucket } }, 'delete', () =>
      adminFirestore().doc(`uploads/${removed.id}`).delete(),
    );
    await sweepOutdatedUploads(backend, 1);
    expect([await documentOf(removed), await documentOf(other)]).toEqual([undefined, undefined]);
  });

  test('and is late writes nothing if the upload was removed in between', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    const event = await eventOf(app, sent.path);
    await finalize(app, event);
    await call('DELETE', `${app.url}/api/uploads/${sent.id}`, { headers: person.bearer });
    const received = async () => {
      await finalize(app, event);
      return new Response();
    };
    // It is not counted for the rate limit of uploads either.
    await firestore.expectCost(received, { reads: 1 });
    expect([await documentOf(sent), await usedBytes(person.uid)]).toEqual([undefined, 0]);
  });
});

test('an API upload that the sweep refuses while it is stored leaves nothing', async () => {
  const person = await signUp();
  const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);
  const { backend } = storageAfter(app, 'save', () =>
    sweepOutdatedUploads({ ...app.backend, now: inTwoHours }),
  );
  await using served = await serveApp({ backend: { bucket: backend.bucket } });
  const response = await call('POST', `${served.url}/api/upload`, {
    headers: person.bearer,
    body: formWith(png(), 'photo.png'),
  });
  expect([response.status, await response.json()]).toEqual([503, { error: 'Failed to upload file' }]);
  const bucket = await app.backend.bucket();
  const [objects] = await bucket.getFiles({ prefix: `uploads/${person.uid}/` });
  const documents = await adminFirestore().collection('uploads').where('ownerId', '==', person.uid).get();
  expect([objects.length, documents.size, await usedBytes(person.uid)]).toEqual([0, 0, 0]);
});

test('an object that Storage writes after the API upload has failed is removed, and not registered', async () => {
  const person = await signUp();
  const headers = { ...person.bearer };
  const response = await call('POST', `${app.url}/api/upload?visibility=private`, {
    headers,
    body: formWith(png(), 'photo.png'),
  });
  expect(response.status).toBe(200);
  const uploads = adminFirestore().collection('uploads').where('ownerId', '==', person.uid);
  const [upload] = (await uploads.get()).docs;
  const path = upload?.get('path') as string;
  const event = await eventOf(app, path);
  // The failed request has removed its record before the object appears.
  await upload?.ref.delete();
  await finalize(app, event);
  expect([await isThere(app, path), (await uploads.get()).size]).toEqual([false, 0]);
});
