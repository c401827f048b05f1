import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { bucketFailing } from './support/direct-uploads.ts';
import { formWith, png } from './support/files.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { usedBytes } from './support/uploads.ts';

interface View {
  id: string;
  name: string;
  contentType: string;
  size: number;
  status: string;
  url: string;
  visibility: string;
  width: number | null;
  height: number | null;
  createdBy: string;
}

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, path: string, person?: Person) =>
  call(method, `${app.url}/api/uploads${path}`, { headers: person?.bearer ?? {} });

async function uploadAs(person: Person, form = formWith(png(), 'photo.png'), query = ''): Promise<string> {
  const response = await call('POST', `${app.url}/api/upload${query}`, {
    headers: person.bearer,
    body: form,
  });
  expect(response.status).toBe(200);
  return response.headers.get('X-Upload-Id') ?? '';
}

async function describeAs(person: Person, id: string): Promise<View> {
  return (await (await ask('GET', `/${id}`, person)).json()) as View;
}

async function list(person: Person, query = ''): Promise<{ uploads: View[]; nextCursor: string | null }> {
  const response = await ask('GET', query, person);
  expect(response.status).toBe(200);
  return (await response.json()) as { uploads: View[]; nextCursor: string | null };
}

describe('an upload', () => {
  test('is described to its owner', async () => {
    const owner = await signUp();
    const bytes = png(40, 30);
    const id = await uploadAs(owner, formWith(bytes, 'photo.png'));
    expect(await describeAs(owner, id)).toEqual({
      id,
      name: 'photo.png',
      contentType: 'image/png',
      size: bytes.length,
      status: 'stored',
      reason: null,
      url: expect.stringContaining(id) as string,
      visibility: 'public',
      width: 40,
      height: 30,
      variants: [],
      createdBy: owner.uid,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  test('has no size in pixels unless it is a picture', async () => {
    const owner = await signUp();
    const id = await uploadAs(owner, formWith('text', 'a.txt'));
    expect(await describeAs(owner, id)).toMatchObject({ width: null, height: null });
  });

  test('is deleted by its removal, in Storage as well, and its bytes are given back', async () => {
    const owner = await signUp();
    const id = await uploadAs(owner);
    const { url, size } = await describeAs(owner, id);
    expect(await usedBytes(owner.uid)).toBe(size);

    expect((await ask('DELETE', `/${id}`, owner)).status).toBe(204);
    expect((await fetch(url)).ok).toBe(false);
    expect(await usedBytes(owner.uid)).toBe(0);
    expect(await errorOf(await ask('DELETE', `/${id}`, owner))).toMatchObject({
      status: 404,
      code: 'upload_not_found',
    });
  });

  test('is removed by two concurrent requests, and its bytes are given back once', async () => {
    const owner = await signUp();
    await uploadAs(owner);
    const kept = await usedBytes(owner.uid);
    const id = await uploadAs(owner);
    const answers = await Promise.all([1, 2, 3].map(() => ask('DELETE', `/${id}`, owner)));
    for (const { status } of answers) expect([204, 404]).toContain(status);
    expect(await usedBytes(owner.uid)).toBe(kept);
  });

  test('does not exist for any request of another user', async () => {
    const [owner, stranger] = await Promise.all([signUp(), signUp()]);
    const id = await uploadAs(owner);
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/revoke`],
      ['GET', `/${'a'.repeat(32)}`],
    ] as const) {
      expect(await errorOf(await ask(method, path, stranger))).toMatchObject({
        status: 404,
        code: 'upload_not_found',
      });
      expect((await ask(method, path)).status).toBe(401);
    }
    expect((await ask('GET', `/${id}`, owner)).status).toBe(200);
  });

  test.each(['a', 'a'.repeat(65), '..%2Fa', 'a%00'])('answers 400 to the id %s', async (id) => {
    expect((await ask('GET', `/${id}`, await signUp())).status).toBe(400);
  });
});

describe('the list', () => {
  test('has the stored uploads, newest first, in pages', async () => {
    const owner = await signUp();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift(await uploadAs(owner));
    await adminFirestore()
      .doc(`uploads/${ids.shift() ?? ''}`)
      .update({ status: 'pending' });

    const first = await list(owner, '?limit=3');
    const second = await list(owner, `?limit=3&cursor=${first.nextCursor ?? ''}`);
    expect([...first.uploads, ...second.uploads].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });

  test('is empty for a new user', async () => {
    expect(await list(await signUp())).toEqual({ uploads: [], nextCursor: null });
  });

  test.each(['?limit=0', '?cursor=x', '?team=..', '?owner=a'])('answers 400 to %s', async (query) => {
    expect((await ask('GET', query, await signUp())).status).toBe(400);
  });
});

describe('the URL', () => {
  test('ends when it is revoked, and the new one gives the same file', async () => {
    const owner = await signUp();
    const bytes = png();
    const id = await uploadAs(owner, formWith(bytes, 'photo.png'), '?visibility=private');
    const { url, visibility } = await describeAs(owner, id);
    expect(visibility).toBe('private');
    expect((await fetch(url)).headers.get('cache-control')).toBe('private, no-store');

    const revoked = await ask('POST', `/${id}/revoke`, owner);
    const renewed = (await revoked.json()) as View;
    expect(revoked.status).toBe(200);
    expect((await fetch(url)).status).toBe(403);
    const fetched = await fetch(renewed.url);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
    expect(fetched.headers.get('content-type')).toBe('image/png');
    expect(fetched.headers.get('content-disposition')).toMatch(/^inline/);
    expect(fetched.headers.get('cache-control')).toBe('private, no-store');
    expect((await describeAs(owner, id)).url).toBe(renewed.url);
  });

  test('works after two concurrent revocations', async () => {
    const owner = await signUp();
    const id = await uploadAs(owner);
    await Promise.all([1, 2, 3].map(() => ask('POST', `/${id}/revoke`, owner)));
    expect((await fetch((await describeAs(owner, id)).url)).status).toBe(200);
    // The client of Storage still retries temporary failures.
    expect((await app.backend.bucket()).storage.retryOptions.autoRetry).toBe(true);
  });

  test('cannot be revoked if the upload is not stored', async () => {
    const owner = await signUp();
    const id = await uploadAs(owner);
    await adminFirestore().doc(`uploads/${id}`).update({ status: 'pending' });
    expect(await errorOf(await ask('POST', `/${id}/revoke`, owner))).toMatchObject({
      status: 409,
      code: 'not_stored',
    });
  });

  test.each(['?visibility=secret', '?visibility=private&visibility=public', '?team=', '?other=1'])(
    'is not made for an upload with %s',
    async (query) => {
      const owner = await signUp();
      const response = await call('POST', `${app.url}/api/upload${query}`, {
        headers: owner.bearer,
        body: formWith(png(), 'photo.png'),
      });
      expect(response.status).toBe(400);
    },
  );
});

describe('when Storage', () => {
  test('does not answer, nothing is removed or revoked, and repeating the request helps', async () => {
    const owner = await signUp();
    const id = await uploadAs(owner);
    const bucket = bucketFailing(app, ['delete', 'copy']);
    await using broken = await serveApp({ backend: { bucket } });
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/revoke'],
    ] as const) {
      const answer = await call(method, `${broken.url}/api/uploads/${id}${path}`, { headers: owner.bearer });
      expect(await errorOf(answer)).toMatchObject({ status: 503, code: 'storage_unavailable' });
    }
    expect((await fetch((await describeAs(owner, id)).url)).status).toBe(200);
    expect((await ask('DELETE', `/${id}`, owner)).status).toBe(204);
  });

  test('has lost a file, it cannot be revoked, and can be removed', async () => {
    const owner = await signUp();
    const id = await uploadAs(owner);
    const bucket = await app.backend.bucket();
    await bucket.deleteFiles({ prefix: `uploads/${owner.uid}/${id}/` });
    expect(await errorOf(await ask('POST', `/${id}/revoke`, owner))).toMatchObject({
      status: 409,
      code: 'not_stored',
    });
    expect((await ask('DELETE', `/${id}`, owner)).status).toBe(204);
  });
});
