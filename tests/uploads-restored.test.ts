import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppUnderTest } from './support/app.ts';
import type { Sent } from './support/direct-uploads.ts';
import { png } from './support/files.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { usedBytes } from './support/uploads.ts';

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.warn = (line: string) => {
    lines.push(line);
  };
  return { lines };
});
const { serveApp } = await import('./support/app.ts');
const { documentOf, eventOf, isThere, finalize, finalizeLatest, storedBy } =
  await import('./support/direct-uploads.ts');

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { imageSizes: [16] } });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  lines.length = 0;
});

const PICTURE = png(40, 30);
const WARNING = 'An object of ours without an upload record is removed';

/**
 * Removes a file as its owner does.
 *
 * @returns its record, and a function that restores an object as soft delete does: the same bytes and metadata with a
 *   new generation
 */
async function removeFile(person: Person, sent: Sent) {
  const record = (await documentOf(sent)) ?? {};
  const variants = (record['variants'] as { path: string }[]).map(({ path }) => path);
  const bucket = await app.backend.bucket();
  const deleted = new Map<string, () => Promise<void>>();
  for (const path of [sent.path, ...variants]) {
    const file = bucket.file(path);
    const [[bytes], [object]] = await Promise.all([file.download(), file.getMetadata()]);
    const { contentType = '', contentDisposition = '', cacheControl = '', metadata = {} } = object;
    const described = { contentType, contentDisposition, cacheControl, metadata };
    deleted.set(path, () => file.save(bytes, { metadata: described }));
  }
  const answer = await call('DELETE', `${app.url}/api/uploads/${sent.id}`, { headers: person.bearer });
  expect([answer.status, await isThere(app, sent.path)]).toEqual([204, false]);
  const restore = async (path: string) => deleted.get(path)?.();
  return { record, variants, restore };
}

/** Writes the record as docs/operations.md describes, before the object is restored. */
async function writeRecord({ id }: Sent, record: Record<string, unknown>): Promise<void> {
  await adminFirestore().doc(`uploads/${id}`).set(record);
  await adminFirestore()
    .doc(`usage/${String(record['ownerId'])}`)
    .set({ bytes: record['size'] });
}

async function urlsOf(sent: Sent): Promise<string[]> {
  const { url, variants } = (await documentOf(sent)) as { url: string; variants: { url: string }[] };
  return [url, ...variants.map((variant) => variant.url)];
}

const statusesOf = (urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await fetch(url)).status));

describe.each(['client', 'api'])('a removed file of %s that an operator restores', (source) => {
  test('is removed again if it has no record, and a warning is logged once', async () => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    const { variants, restore } = await removeFile(person, sent);
    for (const path of [...variants, sent.path]) await restore(path);
    const event = await eventOf(app, sent.path);
    await finalize(app, event);
    await finalize(app, event);
    for (const path of [...variants, sent.path]) expect(await isThere(app, path)).toBe(false);
    expect(await documentOf(sent)).toBeUndefined();
    expect(lines.filter((line) => line.includes(WARNING))).toEqual([expect.stringContaining(sent.path)]);
  });

  test('gets new URLs if its record has the former generation', async () => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    const before = await urlsOf(sent);
    const { record, variants, restore } = await removeFile(person, sent);
    await writeRecord(sent, record);
    for (const path of [...variants, sent.path]) await restore(path);
    await finalizeLatest(app, sent);
    await finalizeLatest(app, sent);
    const after = await urlsOf(sent);
    expect(await statusesOf(before)).toEqual([403, 403]);
    expect(await statusesOf(after)).toEqual([200, 200]);
    const { generation } = await eventOf(app, sent.path);
    expect(await documentOf(sent)).toMatchObject({ status: 'stored', generation });
    expect(await usedBytes(person.uid)).toBe(PICTURE.length);
    expect(lines.join()).not.toContain(WARNING);
  });

  test('keeps its URLs if its record has no generation', async () => {
    const person = await signUp();
    const sent = await storedBy(app, source, person, PICTURE);
    const before = await urlsOf(sent);
    const { record, variants, restore } = await removeFile(person, sent);
    await writeRecord(sent, { ...record, generation: null });
    for (const path of [...variants, sent.path]) await restore(path);
    await finalizeLatest(app, sent);
    expect(await urlsOf(sent)).toEqual(before);
    expect(await statusesOf(before)).toEqual([200, 200]);
    expect(lines).toEqual([]);
  });
});

test('the late event of a file that was removed logs nothing', async () => {
  const person = await signUp();
  const sent = await storedBy(app, 'api', person, PICTURE);
  const late = await eventOf(app, sent.path);
  await removeFile(person, sent);
  await finalize(app, late);
  expect(lines).toEqual([]);
});
