import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { UploadMetadata } from 'firebase/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFinalizeHandler } from '../functions/src/uploads/finalize/finalize.service.ts';
import { sweepOutdatedUploads } from '../functions/src/uploads/manage/sweep.service.ts';
import { contentTypes, ole, zip } from '../functions/src/uploads/testing/samples.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import {
  clientOf,
  documentOf,
  eventOf,
  isThere,
  finalize,
  sendAs,
  sendFile,
} from './support/direct-uploads.ts';
import { png, pngOfSize } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, startSession } from './support/people.ts';
import { call } from './support/requests.ts';
import { castOf } from './support/teams.ts';
import { usedBytes } from './support/uploads.ts';

/** A Firestore of its own, because these sweeps run at a later time and would remove uploads of other tests. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

/** Sends a file and handles its event. */
async function outcomeOf(...sending: Parameters<typeof sendAs>) {
  const sent = await sendAs(...sending);
  await finalize(app, await eventOf(app, sent.path));
  return { sent, document: await documentOf(sent), stays: await isThere(app, sent.path) };
}

describe('a direct upload', () => {
  test('gets a record, our headers and a URL that returns it byte for byte', async () => {
    const person = await signUp();
    const bytes = png(40, 30);
    const { sent, document } = await outcomeOf(person, bytes, {
      contentType: 'image/png',
      contentDisposition: 'attachment; filename="a.html"',
      cacheControl: 'no-cache',
    });
    expect(document).toMatchObject({
      ownerId: person.uid,
      createdBy: person.uid,
      name: 'photo.png',
      contentType: 'image/png',
      size: bytes.length,
      path: sent.path,
      source: 'client',
      visibility: 'public',
      status: 'stored',
      dimensions: { width: 40, height: 30 },
    });
    const fetched = await fetch(String(document?.['url']));
    expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
    expect(fetched.headers.get('content-disposition')).toMatch(/^inline/);
    expect(fetched.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await usedBytes(person.uid)).toBe(bytes.length);
  });

  test('is listed and removed like any other', async () => {
    const person = await signUp();
    const { sent } = await outcomeOf(person);
    const url = `${app.url}/api/uploads/${sent.id}`;
    expect(await (await call('GET', url, { headers: person.bearer })).json()).toMatchObject({
      status: 'stored',
    });
    expect((await call('DELETE', url, { headers: person.bearer })).status).toBe(204);
    expect([await isThere(app, sent.path), await usedBytes(person.uid)]).toEqual([false, 0]);
  });

  test('is private if its metadata says so', async () => {
    const { document } = await outcomeOf(await signUp(), undefined, {
      contentType: 'image/png',
      customMetadata: { visibility: 'private' },
    });
    expect(document).toMatchObject({ visibility: 'private', status: 'stored' });
    const fetched = await fetch(String(document?.['url']));
    expect(fetched.headers.get('cache-control')).toBe('private, no-store');
  });

  test('belongs to a team of the sender if its metadata names it', async () => {
    const { teamId, member } = await castOf(app.url);
    const metadata = { contentType: 'image/png', customMetadata: { team: teamId } };
    const { document } = await outcomeOf(member, undefined, metadata);
    expect(document).toMatchObject({ ownerId: teamId, createdBy: member.uid, status: 'stored' });
    expect([await usedBytes(teamId), await usedBytes(member.uid)]).toEqual([document?.['size'], 0]);
  });

  test('is validated once, however often its event arrives, also concurrently', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    const event = await eventOf(app, sent.path);
    await Promise.all([1, 2, 3, 4].map(() => finalize(app, event)));
    await finalize(app, event);
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
    expect(await usedBytes(person.uid)).toBe(event.size);
  });

  test('costs one read more than an API upload', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const sent = await sendAs(person);
    const event = await eventOf(app, sent.path);
    const received = async () => {
      await finalize(app, event);
      return new Response();
    };
    await firestore.expectCost(received, { reads: 6, writes: 4 });
    await firestore.expectCost(received, { reads: 1 });
  });

  test('costs three reads and two writes more if variants are made', async () => {
    await using other = await serveApp({ config: { imageSizes: [16] } });
    const person = await signUp();
    const { path } = await sendAs(person);
    await finalize(app, await eventOf(app, path));
    const event = await eventOf(app, path);
    const received = async () => {
      await finalize(other, event);
      return new Response();
    };
    await firestore.expectCost(received, { reads: 3, writes: 2 });
  });
});

describe('a file is refused, removed and not counted', () => {
  test.each<[string, string, Uint8Array, UploadMetadata, string]>([
    [
      'a page as a picture',
      'a.png',
      Buffer.from('<html>'),
      { contentType: 'image/png' },
      'unsupported_media_type',
    ],
    ['another kind', 'a.jpg', png(), { contentType: 'image/jpeg' }, 'unsupported_media_type'],
    [
      'a text with a NUL',
      'a.txt',
      Buffer.from('a\0b'),
      { contentType: 'text/plain' },
      'unsupported_media_type',
    ],
    [
      'media, which the settings do not accept',
      'a.mp3',
      Buffer.from('ID3'),
      { contentType: 'audio/mpeg' },
      'unsupported_media_type',
    ],
    [
      'a compressed picture',
      'a.png',
      gzipSync(png()),
      { contentType: 'image/png', contentEncoding: 'gzip' },
      'unsupported_media_type',
    ],
    [
      'a picture declared as compressed',
      'a.png',
      png(),
      { contentType: 'image/png', contentEncoding: 'br' },
      'unsupported_media_type',
    ],
    [
      'for a team of others',
      'a.png',
      png(),
      { contentType: 'image/png', customMetadata: { team: 'nobody' } },
      'team_not_found',
    ],
    [
      'with an unknown visibility',
      'a.png',
      png(),
      { contentType: 'image/png', customMetadata: { visibility: 'secret' } },
      'invalid_request',
    ],
  ])('%s', async (_what, name, bytes, metadata, reason) => {
    const person = await signUp();
    const { document, stays } = await outcomeOf(person, bytes, metadata, name);
    expect(document).toMatchObject({ ownerId: person.uid, status: 'refused', reason, url: null });
    expect([stays, await usedBytes(person.uid)]).toEqual([false, 0]);
  });

  test('that exceeds the quota', async () => {
    const person = await signUp();
    await adminFirestore().doc(`usage/${person.uid}`).set({ bytes: 99_999_900 });
    const first = await outcomeOf(person, pngOfSize(200));
    expect([first.document?.['reason'], first.stays]).toEqual(['quota_exceeded', false]);
    expect((await outcomeOf(person, png(1, 1))).document).toMatchObject({ status: 'stored' });
  });

  test('that exceeds the rate limit, together with API uploads', async () => {
    await using narrow = await serveApp({ config: { uploadsPerHour: 1 } });
    const person = await signUp();
    const [first, second] = [await sendAs(person), await sendAs(person)];
    await finalize(narrow, await eventOf(app, first.path));
    await finalize(narrow, await eventOf(app, second.path));
    expect(await documentOf(first)).toMatchObject({ status: 'stored' });
    expect(await documentOf(second)).toMatchObject({ status: 'refused', reason: 'too_many_requests' });
  });

  test('far over the rate limit without a record, so that one sender costs little', async () => {
    await using narrow = await serveApp({ config: { uploadsPerHour: 1 } });
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const handle = createFinalizeHandler(narrow.backend);
    const documents: unknown[] = [];
    for (let count = 0; count < 5; count += 1) {
      const sent = await sendAs(person);
      await handle(await eventOf(app, sent.path));
      documents.push((await documentOf(sent))?.['reason']);
      expect(await isThere(app, sent.path)).toBe(count === 0);
    }
    expect(documents).toEqual([null, 'too_many_requests', undefined, undefined, undefined]);
    const sent = await sendAs(other);
    await handle(await eventOf(app, sent.path));
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
  });

  test('and the refusal can be read for a day', async () => {
    const person = await signUp();
    const other = await outcomeOf(person);
    const { sent } = await outcomeOf(person, Buffer.from('<html>'));
    const inHours = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);
    await sweepOutdatedUploads({ ...app.backend, now: inHours(23) });
    expect(await documentOf(sent)).toMatchObject({ status: 'refused' });
    await sweepOutdatedUploads({ ...app.backend, now: inHours(25) });
    expect(await documentOf(sent)).toBeUndefined();
    // The bytes of the refused file were given back once, when it was refused.
    expect(await usedBytes(person.uid)).toBe(other.document?.['size']);
  });
});

describe('an Office file whose parts are behind its first 256 KiB is validated as a whole', () => {
  const padding = randomBytes(300 * 1024);
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const docx = zip([{ name: 'media', bytes: padding, compressed: false }, contentTypes(`${type}.main+xml`)]);
  const doc = Buffer.concat([ole('Other'), padding, Buffer.from('WordDocument', 'utf16le')]);

  test.each([
    ['docx', docx, type, 'stored'],
    ['doc', doc, 'application/msword', 'stored'],
    ['doc', Buffer.concat([ole('Other'), padding]), 'application/msword', 'refused'],
  ])('.%s', async (extension, bytes, contentType, status) => {
    const { document } = await outcomeOf(await signUp(), bytes, { contentType }, `letter.${extension}`);
    expect(document).toMatchObject({ status });
  });
});

describe('an object that cannot have a record is removed', () => {
  test('if its owner is not a user, such as an object that arrives after an account was deleted', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    await adminAuth().deleteUser(person.uid);
    await finalize(app, await eventOf(app, sent.path));
    expect([await isThere(app, sent.path), await documentOf(sent)]).toEqual([false, undefined]);
  });

  test('if the account of its sender is disabled, also by a client that was signed in before', async () => {
    const person = await signUp();
    const storage = await clientOf(person);
    const before = await sendFile(storage, person.uid, png());
    await adminAuth().updateUser(person.uid, { disabled: true });
    // The rules accept the ID token for up to an hour.
    const after = await sendFile(storage, person.uid, png());
    for (const sent of [before, after]) {
      await finalize(app, await eventOf(app, sent.path));
      expect([await isThere(app, sent.path), await documentOf(sent)]).toEqual([false, undefined]);
    }
    expect(await usedBytes(person.uid)).toBe(0);
  });

  test('if the id is taken, and the upload with that id stays', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const { sent } = await outcomeOf(person);
    const intruder = `uploads/${other.uid}/${sent.id}/photo-2.png`;
    const bucket = await app.backend.bucket();
    await bucket.file(intruder).save(png(), { contentType: 'image/png' });
    await finalize(app, await eventOf(app, intruder));
    expect([await isThere(app, intruder), await isThere(app, sent.path)]).toEqual([false, true]);
    expect(await documentOf(sent)).toMatchObject({ ownerId: person.uid, status: 'stored' });
  });
});

describe('objects at other paths, and objects of the API, are ignored', () => {
  test.each(['variants/a/b/200.webp', 'other/a.png', 'uploads/a.png'])('%s', async (path) => {
    const bucket = await app.backend.bucket();
    await bucket.file(path).save(png(), { contentType: 'image/png' });
    await finalize(app, await eventOf(app, path));
    expect(await isThere(app, path)).toBe(true);
  });
});
