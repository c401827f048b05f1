import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteRecords } from '../functions/src/uploads/records/upload.store.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { clientOf, eventOf, finalize, sendFile, storageAfter } from './support/direct-uploads.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';

interface Variant {
  width: number;
  height: number;
  size: number;
  url: string;
}

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { imageSizes: [16, 32, 64] } });
});
afterAll(() => app[Symbol.asyncDispose]());

/** A picture that is larger than two of the configured sizes. */
const PICTURE = png(60, 30);

async function upload(person: Person, bytes = PICTURE, name = 'photo.png') {
  const response = await call('POST', `${app.url}/api/upload`, {
    headers: person.bearer,
    body: formWith(bytes, name),
  });
  const id = response.headers.get('X-Upload-Id') ?? '';
  const path = (await adminFirestore().doc(`uploads/${id}`).get()).get('path') as string;
  return { id, path };
}

async function variantsOf(person: Person, id: string): Promise<Variant[]> {
  const answer = await call('GET', `${app.url}/api/uploads/${id}`, { headers: person.bearer });
  return ((await answer.json()) as { variants: Variant[] }).variants;
}

async function objectsOf(id: string, person: Person): Promise<string[]> {
  const bucket = await app.backend.bucket();
  const [files] = await bucket.getFiles({ prefix: `variants/${person.uid}/${id}/` });
  return files.map(({ name }) => name.slice(name.lastIndexOf('/') + 1)).sort();
}

/** An app that cannot store objects. */
const dying = () => storageAfter(app, 'save', () => Promise.reject(new Error('died')));

const remove = ({ bearer: headers }: Person, id: string) =>
  call('DELETE', `${app.url}/api/uploads/${id}`, { headers });

describe('a picture', () => {
  test('gets the configured variants, each at its own URL', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    await finalize(app, await eventOf(app, path));
    const variants = await variantsOf(person, id);
    expect(variants.map(({ width, height }) => [width, height])).toEqual([
      [16, 8],
      [32, 16],
    ]);
    expect(new Set(variants.map(({ url }) => new URL(url).searchParams.get('token'))).size).toBe(2);
    for (const { url, width, size } of variants) {
      const fetched = await fetch(url);
      expect(fetched.headers.get('content-type')).toBe('image/webp');
      const bytes = Buffer.from(await fetched.arrayBuffer());
      expect([bytes.length, (await sharp(bytes).metadata()).width]).toEqual([size, width]);
    }
  });

  test('from a direct upload gets them as well', async () => {
    const person = await signUp();
    const { id, path } = await sendFile(await clientOf(person), person.uid, PICTURE);
    await finalize(app, await eventOf(app, path));
    await finalize(app, await eventOf(app, path));
    expect(await variantsOf(person, id)).toHaveLength(2);
  });

  test('gets them once, however often its event arrives, also concurrently', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    const event = await eventOf(app, path);
    await Promise.all([1, 2, 3].map(() => finalize(app, event)));
    const variants = await variantsOf(person, id);
    await finalize(app, event);
    expect(await variantsOf(person, id)).toEqual(variants);
    for (const { url } of variants) expect((await fetch(url)).status).toBe(200);
    expect(await objectsOf(id, person)).toEqual(['16.webp', '32.webp']);
  });

  test.each(['download', 'save'] as const)(
    'keeps the URLs of one try while another one was at its %s',
    async (method) => {
      const person = await signUp();
      const { id, path } = await upload(person);
      const event = await eventOf(app, path);
      let variants: Variant[] = [];
      const late = storageAfter(app, method, async () => {
        await finalize(app, event);
        variants = await variantsOf(person, id);
      });
      await finalize(late, event);
      expect(variants).toHaveLength(2);
      expect(await variantsOf(person, id)).toEqual(variants);
      for (const { url } of variants) expect((await fetch(url)).status).toBe(200);
      expect(await objectsOf(id, person)).toEqual(['16.webp', '32.webp']);
    },
  );

  test('that cannot be decoded is stored without them', async () => {
    const person = await signUp();
    const { id, path } = await upload(person, PICTURE.subarray(0, 45));
    await finalize(app, await eventOf(app, path));
    expect(await variantsOf(person, id)).toEqual([]);
  });

  test('gets no variant if its object was deleted before the event arrives, and the event is not repeated', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    const event = await eventOf(app, path);
    await (await app.backend.bucket()).file(path).delete();
    await finalize(app, event);
    expect(await variantsOf(person, id)).toEqual([]);
  });

  test('gives new URLs for them when it is revoked', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    await finalize(app, await eventOf(app, path));
    const before = await variantsOf(person, id);
    await call('POST', `${app.url}/api/uploads/${id}/revoke`, { headers: person.bearer });
    for (const { url } of before) expect((await fetch(url)).status).toBe(403);
    for (const { url } of await variantsOf(person, id)) expect((await fetch(url)).status).toBe(200);
  });
});

test('a document gets none', async () => {
  const person = await signUp();
  const { id, path } = await upload(person, Buffer.from('text'), 'a.txt');
  await finalize(app, await eventOf(app, path));
  expect(await variantsOf(person, id)).toEqual([]);
});

test('a variant gets no variants', async () => {
  const person = await signUp();
  const { id, path } = await upload(person);
  await finalize(app, await eventOf(app, path));
  const before = await adminFirestore().doc(`uploads/${id}`).get();
  const [first] = before.get('variants') as { path: string }[];
  await finalize(app, await eventOf(app, first?.path ?? ''));
  expect(await objectsOf(id, person)).toEqual(['16.webp', '32.webp']);
  expect((await adminFirestore().doc(`uploads/${id}`).get()).updateTime).toEqual(before.updateTime);
});

describe('the variants of a picture that is removed', () => {
  test('are removed with it', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    await finalize(app, await eventOf(app, path));
    expect((await remove(person, id)).status).toBe(204);
    expect(await objectsOf(id, person)).toEqual([]);
  });

  test('are removed although they were still being made', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    const event = await eventOf(app, path);
    await Promise.all([finalize(app, event).catch(() => undefined), remove(person, id)]);
    // In either order, the event comes again after a failure.
    await finalize(app, event);
    expect(await objectsOf(id, person)).toEqual([]);
  });

  test('are removed although the process that made them died', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    const event = await eventOf(app, path);
    await finalize(app, event);
    // Restores the state of a process that died before it wrote the variants to the record.
    const ref = adminFirestore().doc(`uploads/${id}`);
    const made = (await ref.get()).get('variants') as { path: string }[];
    await ref.update({ variants: [], possibleVariants: made.map((variant) => variant.path) });
    await remove(person, id);
    expect(await objectsOf(id, person)).toEqual([]);

    // Restores the state of an account that was deleted before the variants were planned.
    const bucket = await app.backend.bucket();
    await bucket.file(`variants/${person.uid}/${id}/16.webp`).save('left');
    await adminAuth().deleteUser(person.uid);
    await finalize(app, event);
    expect(await objectsOf(id, person)).toEqual([]);
  });

  test('are removed although they were stored after the removal had looked for them', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    const event = await eventOf(app, path);
    await expect(finalize(dying(), event)).rejects.toThrow();
    const seen = await app.backend.db.uploads.get(id);
    await finalize(app, event);
    const left = await deleteRecords(app.backend.db, {
      ownerId: person.uid,
      uploads: new Map(seen && [[id, seen]]),
    });
    expect([...left.keys()]).toEqual([id]);
    expect(await variantsOf(person, id)).toHaveLength(2);
  });
});

describe('variants after a process that died while making them', () => {
  test('are made again by the next event', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    const event = await eventOf(app, path);
    await expect(finalize(dying(), event)).rejects.toThrow();
    expect(await variantsOf(person, id)).toEqual([]);
    await finalize(app, event);
    const variants = await variantsOf(person, id);
    expect(variants).toHaveLength(2);
    for (const { url, size } of variants) {
      const fetched = await fetch(url);
      expect([fetched.status, (await fetched.arrayBuffer()).byteLength]).toEqual([200, size]);
    }
  });

  test('have no URL that was readable before a revocation', async () => {
    const person = await signUp();
    const { id, path } = await upload(person);
    await expect(finalize(dying(), await eventOf(app, path))).rejects.toThrow();
    const document = (await adminFirestore().doc(`uploads/${id}`).get()).data();
    const readable = JSON.stringify(document).match(/http[^"]+/g) ?? [];
    expect(readable).not.toEqual([]);
    await call('POST', `${app.url}/api/uploads/${id}/revoke`, { headers: person.bearer });
    await finalize(app, await eventOf(app, path));
    expect(await variantsOf(person, id)).toHaveLength(2);
    for (const url of readable) expect((await fetch(url)).status).toBe(403);
  });
});
