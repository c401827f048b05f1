import type { UploadMetadata } from 'firebase/storage';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepOutdatedUploads } from '../functions/src/uploads/remove.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { clientOf, eventOf, receive, sendFile, storageAfter, type Sent } from './support/direct-uploads.ts';
import { png, pngOfSize } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { castOf } from './support/teams.ts';
import { documentedBytes, usedBytes } from './support/uploads.ts';

/** A Firestore of its own, because the sweep is told that it is another day. */
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

async function send(
  person: Person,
  bytes: Uint8Array = png(40, 30),
  metadata?: UploadMetadata,
  name?: string,
): Promise<Sent> {
  return sendFile(await clientOf(person), person.uid, bytes, metadata, name);
}

async function documentOf({ id }: Sent): Promise<Record<string, unknown> | undefined> {
  return (await adminFirestore().doc(`uploads/${id}`).get()).data();
}

async function isThere(path: string): Promise<boolean> {
  const [exists] = await (await app.services.bucket()).file(path).exists();
  return exists;
}

/** Sent and received. */
async function outcomeOf(...sending: Parameters<typeof send>) {
  const sent = await send(...sending);
  await receive(app, await eventOf(app, sent.path));
  return { sent, document: await documentOf(sent), stays: await isThere(sent.path) };
}

describe('a file that the client has sent straight to Storage', () => {
  test('gets a document, our headers and a URL that gives it back byte for byte', async () => {
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
    expect([await isThere(sent.path), await usedBytes(person.uid)]).toEqual([false, 0]);
  });

  test('is private when it says so', async () => {
    const { document } = await outcomeOf(await signUp(), undefined, {
      contentType: 'image/png',
      customMetadata: { visibility: 'private' },
    });
    expect(document).toMatchObject({ visibility: 'private', status: 'stored' });
    const fetched = await fetch(String(document?.['url']));
    expect(fetched.headers.get('cache-control')).toBe('private, no-store');
  });

  test('is of a team when it names one that its sender is in', async () => {
    const { teamId, member } = await castOf(app.url);
    const metadata = { contentType: 'image/png', customMetadata: { team: teamId } };
    const { document } = await outcomeOf(member, undefined, metadata);
    expect(document).toMatchObject({ ownerId: teamId, createdBy: member.uid, status: 'stored' });
    expect([await usedBytes(teamId), await usedBytes(member.uid)]).toEqual([document?.['size'], 0]);
  });

  test('is judged once, however often and however much at once its event comes', async () => {
    const person = await signUp();
    const sent = await send(person);
    const event = await eventOf(app, sent.path);
    await Promise.all([1, 2, 3, 4].map(() => receive(app, event)));
    await receive(app, event);
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
    expect(await usedBytes(person.uid)).toBe(event.size);
  });

  test('costs as much as one through the API, and two reads more', async () => {
    const person = await signUp();
    const sent = await send(person);
    const event = await eventOf(app, sent.path);
    const received = async () => {
      await receive(app, event);
      return new Response();
    };
    await firestore.expectCost(received, { reads: 4, writes: 4 });
    await firestore.expectCost(received, { reads: 1 });
  });

  test('costs four reads and two writes more when variants are made of it', async () => {
    await using other = await serveApp({ config: { imageSizes: [16] } });
    const person = await signUp();
    const event = await eventOf(app, (await send(person)).path);
    await receive(app, event);
    const received = async () => {
      await receive(other, event);
      return new Response();
    };
    await firestore.expectCost(received, { reads: 4, writes: 2 });
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
      'media where none are',
      'a.mp3',
      Buffer.from('ID3'),
      { contentType: 'audio/mpeg' },
      'unsupported_media_type',
    ],
    [
      'a picture that is packed',
      'a.png',
      gzipSync(png()),
      { contentType: 'image/png', contentEncoding: 'gzip' },
      'unsupported_media_type',
    ],
    [
      'a picture that is said to be packed',
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

  test('over the quota, exactly', async () => {
    const person = await signUp();
    await adminFirestore().doc(`usage/${person.uid}`).set({ bytes: 99_999_900 });
    const first = await outcomeOf(person, pngOfSize(200));
    expect([first.document?.['reason'], first.stays]).toEqual(['quota_exceeded', false]);
    expect((await outcomeOf(person, png(1, 1))).document).toMatchObject({ status: 'stored' });
  });

  test('too many in an hour, together with those through the API', async () => {
    await using narrow = await serveApp({ config: { uploadsPerHour: 1 } });
    const person = await signUp();
    const [first, second] = [await send(person), await send(person)];
    await receive(narrow, await eventOf(app, first.path));
    await receive(narrow, await eventOf(app, second.path));
    expect(await documentOf(first)).toMatchObject({ status: 'stored' });
    expect(await documentOf(second)).toMatchObject({ status: 'refused', reason: 'too_many_requests' });
  });

  test('and the refusal is told for a day', async () => {
    const { sent } = await outcomeOf(await signUp(), Buffer.from('<html>'));
    const inHours = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);
    await sweepOutdatedUploads({ ...app.services, now: inHours(23) });
    expect(await documentOf(sent)).toMatchObject({ status: 'refused' });
    await sweepOutdatedUploads({ ...app.services, now: inHours(25) });
    expect(await documentOf(sent)).toBeUndefined();
  });
});

describe('an object that no document can tell of is removed', () => {
  test('when its owner is no user any more, as what arrives after an account is deleted', async () => {
    const person = await signUp();
    const sent = await send(person);
    await adminAuth().deleteUser(person.uid);
    await receive(app, await eventOf(app, sent.path));
    expect([await isThere(sent.path), await documentOf(sent)]).toEqual([false, undefined]);
  });

  test('when the id is taken, and what has it stays', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const { sent } = await outcomeOf(person);
    const intruder = `uploads/${other.uid}/${sent.id}/photo-2.png`;
    const bucket = await app.services.bucket();
    await bucket.file(intruder).save(png(), { contentType: 'image/png' });
    await receive(app, await eventOf(app, intruder));
    expect([await isThere(intruder), await isThere(sent.path)]).toEqual([false, true]);
    expect(await documentOf(sent)).toMatchObject({ ownerId: person.uid, status: 'stored' });
  });
});

describe('what is elsewhere, or of the API, is left alone', () => {
  test.each(['variants/a/b/200.webp', 'other/a.png', 'uploads/a.png'])('%s', async (path) => {
    const bucket = await app.services.bucket();
    await bucket.file(path).save(png(), { contentType: 'image/png' });
    await receive(app, await eventOf(app, path));
    expect(await isThere(path)).toBe(true);
  });
});

describe('an event whose handling dies', () => {
  /** Everything works but this, once. */
  const failing = (method: 'getUser' | 'bucket'): AppUnderTest => {
    let fails = true;
    const once = () => {
      if (!fails) return;
      fails = false;
      throw new Error('out of reach');
    };
    const { services } = app;
    const bucket = async () => {
      const real = await services.bucket();
      return Object.assign(Object.create(real) as typeof real, {
        file: (...args: Parameters<typeof real.file>) => {
          if (method === 'bucket') once();
          return real.file(...args);
        },
      });
    };
    const auth = Object.assign(Object.create(services.auth) as typeof services.auth, {
      getUser: async (uid: string) => {
        if (method === 'getUser') once();
        return services.auth.getUser(uid);
      },
    });
    return { ...app, services: { ...services, bucket, auth } };
  };

  test.each(['getUser', 'bucket'] as const)('at %s is done by the next try', async (method) => {
    const person = await signUp();
    const sent = await send(person);
    const event = await eventOf(app, sent.path);
    const broken = failing(method);
    await expect(receive(broken, event)).rejects.toThrow('out of reach');
    await receive(broken, event);
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
    expect(await usedBytes(person.uid)).toBe(await documentedBytes(person.uid));
  });

  test('and never comes again leaves nothing after the sweep', async () => {
    const person = await signUp();
    const sent = await send(person);
    await expect(receive(failing('bucket'), await eventOf(app, sent.path))).rejects.toThrow();
    const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);
    await sweepOutdatedUploads({ ...app.services, now: inTwoHours });
    expect([await isThere(sent.path), await documentOf(sent), await usedBytes(person.uid)]).toEqual([
      false,
      undefined,
      0,
    ]);
  });

  test.each([
    ['as many rounds as it takes', 0, 3],
    ['no round more when its time is over', 500_000, 1],
  ])('and never comes again: a sweep does %s', async (_what, elapsingMs, removed) => {
    const person = await signUp();
    for (let count = 0; count < 3; count += 1) {
      const sent = await send(person);
      await expect(receive(failing('bucket'), await eventOf(app, sent.path))).rejects.toThrow();
    }
    let now = Date.now() + 2 * 3_600_000;
    const elapsing = () => new Date((now += elapsingMs));
    expect(await sweepOutdatedUploads({ ...app.services, now: elapsing }, 1)).toBe(removed);
    await sweepOutdatedUploads({ ...app.services, now: () => new Date(now) });
    expect(await usedBytes(person.uid)).toBe(0);
  });

  test('late, when another try has stored the file and it was revoked since, keeps it', async () => {
    const person = await signUp();
    const sent = await send(person);
    const event = await eventOf(app, sent.path);
    const overtaken = storageAfter(app, 'download', async () => {
      await receive(app, event);
      await call('POST', `${app.url}/api/uploads/${sent.id}/revoke`, { headers: person.bearer });
      throw Object.assign(new Error('No such generation'), { code: 404 });
    });
    await receive(overtaken, event);
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
    expect([await isThere(sent.path), await usedBytes(person.uid)]).toEqual([true, png(40, 30).length]);
  });

  test('and that is completed while others are swept stays', async () => {
    const person = await signUp();
    const uploads = adminFirestore().collection('uploads');
    const pending = (index: number) => ({
      ...{
        ownerId: person.uid,
        status: 'pending',
        size: 1,
        variants: [],
        plannedVariants: [],
        deleteAt: null,
      },
      ...{ path: `uploads/${person.uid}/${index}`, createdAt: new Date(index) },
    });
    // One more than are removed at once.
    const refs = await Promise.all(Array.from({ length: 11 }, (_none, index) => uploads.add(pending(index))));
    await adminFirestore().doc(`usage/${person.uid}`).set({ bytes: 11 });
    const last = refs.at(-1);
    const { services } = storageAfter(app, 'delete', async () => last?.update({ status: 'stored' }));
    expect(await sweepOutdatedUploads(services)).toBe(10);
    expect((await last?.get())?.get('status')).toBe('stored');
    expect(await usedBytes(person.uid)).toBe(1);
  });

  test('late, when the file was removed meanwhile, brings nothing back', async () => {
    const person = await signUp();
    const { sent } = await outcomeOf(person);
    const event = await eventOf(app, sent.path);
    await call('DELETE', `${app.url}/api/uploads/${sent.id}`, { headers: person.bearer });
    await receive(app, event);
    expect([await documentOf(sent), await usedBytes(person.uid)]).toEqual([undefined, 0]);
  });
});
