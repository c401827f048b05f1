import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppUnderTest } from './support/app.ts';
import type { Sent } from './support/direct-uploads.ts';
import { png, pngOfSize } from './support/files.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call } from './support/requests.ts';
import { usedBytes } from './support/uploads.ts';

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});
const { serveApp } = await import('./support/app.ts');
const {
  bucketFailing,
  documentOf,
  eventOf,
  isThere,
  finalize,
  finalizeLatest,
  sendAs,
  storageAfter,
  storedBy,
} = await import('./support/direct-uploads.ts');

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { imageSizes: [16] } });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  lines.length = 0;
});

const PICTURE = png(40, 30);
const CHOSEN = 'guessable';

/** The metadata that a sender can choose for an object. */
const SENDER_METADATA = {
  contentType: 'image/png',
  cacheControl: 'public, max-age=99999',
  contentDisposition: 'attachment; filename="setup.exe"',
  customMetadata: { firebaseStorageDownloadTokens: CHOSEN, note: 'mine' },
};

const urlOf = async (sent: Sent) => String((await documentOf(sent))?.['url']);

/** The URL of an object with another token. */
function withToken(url: string, token: string): string {
  const address = new URL(url);
  address.searchParams.set('token', token);
  return address.href;
}

/** Overwrites an object as a client could if the rules allowed it. */
async function overwrite({ path }: Sent, bytes: Buffer): Promise<void> {
  const metadata = { contentType: 'text/html', metadata: { firebaseStorageDownloadTokens: CHOSEN } };
  await (await app.backend.bucket()).file(path).save(bytes, { metadata });
}

async function variantUrls(sent: Sent): Promise<string[]> {
  const variants = (await documentOf(sent))?.['variants'] as { url: string }[];
  return variants.map(({ url }) => url);
}

describe('metadata that a sender gave an object', () => {
  test('is removed when the object is stored: its token, its headers and its own keys', async () => {
    const sent = await sendAs(await signUp(), PICTURE, SENDER_METADATA);
    await finalizeLatest(app, sent);
    const url = await urlOf(sent);
    expect((await fetch(withToken(url, CHOSEN))).status).toBe(403);
    const fetched = await fetch(url);
    expect(fetched.status).toBe(200);
    expect(fetched.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(fetched.headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''photo\.png/);
    const { metadata } = await eventOf(app, sent.path);
    expect(Object.keys(metadata).sort()).toEqual(['firebaseStorageDownloadTokens', 'ownerId', 'writtenBy']);
  });

  test('gives no access once the object is refused, although its first removal fails', async () => {
    const person = await signUp();
    await adminFirestore().doc(`usage/${person.uid}`).set({ bytes: 99_999_999 });
    const sent = await sendAs(person, PICTURE, SENDER_METADATA);
    const event = await eventOf(app, sent.path);
    const failing = { ...app, backend: { ...app.backend, bucket: bucketFailing(app, ['delete']) } };
    await expect(finalize(failing, event)).rejects.toThrow();
    await finalize(app, event);
    expect(await documentOf(sent)).toMatchObject({ status: 'refused', reason: 'quota_exceeded' });
    expect(await isThere(app, sent.path)).toBe(false);
  });

  test('gives no access if finalizing died after it had copied the object', async () => {
    const sent = await sendAs(await signUp(), PICTURE, SENDER_METADATA);
    const event = await eventOf(app, sent.path);
    const dying = afterCopy(app, () => Promise.reject(new Error('died')));
    await expect(finalize(dying, event)).rejects.toThrow();
    expect(await documentOf(sent)).toMatchObject({ status: 'pending', url: null });
    await finalizeLatest(app, sent);
    const url = await urlOf(sent);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(withToken(url, CHOSEN))).status).toBe(403);
  });
});

test.each(['client', 'api'])('the record of a file of %s has the generation and hash', async (source) => {
  const sent = await storedBy(app, source, await signUp(), PICTURE);
  const { generation, md5Hash } = await eventOf(app, sent.path);
  expect(await documentOf(sent)).toMatchObject({ generation, md5Hash });
});

test('the late event of bytes that were overwritten before validation changes nothing', async () => {
  const sent = await sendAs(await signUp(), pngOfSize(600));
  const late = await eventOf(app, sent.path);
  await overwrite(sent, PICTURE);
  const { contentType } = late;
  await finalize(app, { ...(await eventOf(app, sent.path)), contentType });
  await finalize(app, late);
  expect(await documentOf(sent)).toMatchObject({ status: 'stored', size: PICTURE.length });
});

describe.each(['client', 'api'])('a stored file of %s', (source) => {
  test('that is overwritten with other bytes is removed with its variants, and an error is logged', async () => {
    const person = await signUp();
    const [other, sent] = [
      await storedBy(app, 'api', person, PICTURE),
      await storedBy(app, source, person, PICTURE),
    ];
    const [url, ...variants] = [await urlOf(sent), ...(await variantUrls(sent))];
    expect(variants).toHaveLength(1);
    await overwrite(sent, Buffer.from('<script>'));
    const event = await eventOf(app, sent.path);
    await Promise.all([1, 2, 3].map(() => finalize(app, event)));
    expect(await documentOf(sent)).toMatchObject({ status: 'refused', reason: 'replaced', url: null });
    for (const gone of [url, withToken(url, CHOSEN), ...variants]) {
      expect((await fetch(gone)).status).not.toBe(200);
    }
    expect(lines.join()).toContain('was overwritten with other bytes');
    expect(await usedBytes(person.uid)).toBe(PICTURE.length);
    expect((await fetch(await urlOf(other))).status).toBe(200);
  });

  test('that is overwritten is removed by the next event when the first one died', async () => {
    const sent = await storedBy(app, source, await signUp(), PICTURE);
    const variants = await variantUrls(sent);
    await overwrite(sent, pngOfSize(500));
    const event = await eventOf(app, sent.path);
    const failing = { ...app, backend: { ...app.backend, bucket: bucketFailing(app, ['delete']) } };
    await expect(finalize(failing, event)).rejects.toThrow();
    await finalize(app, event);
    expect(await isThere(app, sent.path)).toBe(false);
    for (const url of variants) expect((await fetch(url)).status).not.toBe(200);
  });

  test('that is written again with the same bytes has a new URL of ours, and an error is logged', async () => {
    const sent = await storedBy(app, source, await signUp(), PICTURE);
    const before = await urlOf(sent);
    await overwrite(sent, PICTURE);
    await finalizeLatest(app, sent);
    const url = await urlOf(sent);
    expect(url).not.toBe(before);
    const fetched = await fetch(url);
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);
    for (const old of [before, withToken(url, CHOSEN)]) expect((await fetch(old)).status).toBe(403);
    expect(lines.join()).toContain('was written again');
    // The event of our own copy changes nothing.
    await finalizeLatest(app, sent);
    expect(await urlOf(sent)).toBe(url);
  });

  test('that is written again gets a URL although the first try died', async () => {
    const sent = await storedBy(app, source, await signUp(), PICTURE);
    await overwrite(sent, PICTURE);
    const event = await eventOf(app, sent.path);
    const failing = { ...app, backend: { ...app.backend, bucket: bucketFailing(app, ['copy']) } };
    await expect(finalize(failing, event)).rejects.toThrow();
    await finalize(app, event);
    expect((await fetch(await urlOf(sent))).status).toBe(200);
  });

  test('has a new URL if its revocation died after the copy, and no overwrite is logged', async () => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    const before = await urlOf(sent);
    const dying = afterCopy(app, () => Promise.reject(new Error('died')));
    await using revoking = await serveApp({ backend: { bucket: dying.backend.bucket } });
    const address = `${revoking.url}/api/uploads/${sent.id}/revoke`;
    expect((await call('POST', address, { headers: person.bearer })).status).toBe(503);
    lines.length = 0;
    await finalizeLatest(app, sent);
    const url = await urlOf(sent);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(before)).status).toBe(403);
    expect(lines).toEqual([]);
  });

  test.each([1, 2])('has new URLs of its variants if its revocation died after copy %i', async (last) => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    const before = await variantUrls(sent);
    let copies = 0;
    const dying = afterCopy(app, () =>
      ++copies === last ? Promise.reject(new Error('died')) : Promise.resolve(),
    );
    await using revoking = await serveApp({ backend: { bucket: dying.backend.bucket } });
    const address = `${revoking.url}/api/uploads/${sent.id}/revoke`;
    expect((await call('POST', address, { headers: person.bearer })).status).toBe(503);
    await finalizeLatest(app, sent);
    const after = await variantUrls(sent);
    expect([before.length, after.length]).toEqual([1, 1]);
    for (const url of before) expect((await fetch(url)).status).toBe(403);
    for (const url of after) expect((await fetch(url)).status).toBe(200);
  });

  test('keeps the URL of a revocation, whenever the event of its copy arrives', async () => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    const events: Promise<unknown>[] = [];
    const early = afterCopy(app, async () => {
      events.push(finalize(app, await eventOf(app, sent.path)));
    });
    await using revoking = await serveApp({ backend: { bucket: early.backend.bucket } });
    const address = `${revoking.url}/api/uploads/${sent.id}/revoke`;
    const answer = await call('POST', address, { headers: person.bearer });
    const { url } = (await answer.json()) as { url: string };
    expect(events.length).toBeGreaterThan(0);
    await Promise.all(events);
    await finalizeLatest(app, sent);
    expect(await urlOf(sent)).toBe(url);
    expect((await fetch(url)).status).toBe(200);
  });
});

test('a picture gets its variants once, even if the event of its copy arrives before the copy is recorded', async () => {
  const sent = await sendAs(await signUp(), PICTURE);
  const events: Promise<unknown>[] = [];
  const early = afterCopy(app, async () => {
    const event = await eventOf(app, sent.path);
    // The copy is recorded once its event has read the pending record.
    await new Promise<void>((resolve) => {
      const reading = storageAfter(app, 'download', () => {
        resolve();
        return Promise.resolve();
      });
      events.push(finalize(reading, event));
    });
  });
  await finalize(early, await eventOf(app, sent.path));
  await Promise.all(events);
  expect(await variantUrls(sent)).toHaveLength(1);
  expect((await fetch(await urlOf(sent))).status).toBe(200);
});

/** An app in which `happens` runs between a copy and the next step. */
function afterCopy(on: AppUnderTest, happens: () => Promise<unknown>): AppUnderTest {
  const bucket = async () => {
    const real = await on.backend.bucket();
    const file = (...args: Parameters<typeof real.file>) => {
      const object = real.file(...args);
      const copy = object.copy.bind(object) as (...given: unknown[]) => Promise<unknown>;
      const late = async (...given: unknown[]) => {
        const answer = await copy(...given);
        await happens();
        return answer;
      };
      return Object.assign(object, { copy: late });
    };
    return Object.assign(Object.create(real) as typeof real, { file });
  };
  return { ...on, backend: { ...on.backend, bucket } };
}
