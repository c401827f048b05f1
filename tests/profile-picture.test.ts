import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Uploaded {
  id: string;
  url: string;
}

async function upload({ bearer }: Person): Promise<Uploaded> {
  const body = formWith(png(), 'me.png');
  const response = await call('POST', `${app.url}/api/upload`, { headers: bearer, body });
  const { url } = (await response.json()) as { url: string };
  return { url, id: response.headers.get('X-Upload-Id') ?? '' };
}

const change = ({ bearer }: Person, photoURL: string | null) =>
  call('PATCH', `${app.url}/api/auth/user`, { headers: bearer, json: { photoURL } });

/** The picture of a user, in Firebase Auth and in the profile. */
async function picturesOf({ uid }: Person): Promise<unknown[]> {
  const [user, profile] = await Promise.all([
    adminAuth().getUser(uid),
    adminFirestore().doc(`users/${uid}`).get(),
  ]);
  return [user.photoURL ?? null, profile.get('photoURL') as unknown];
}

async function withPicture(): Promise<{ person: Person; file: Uploaded }> {
  const person = await signUp();
  const file = await upload(person);
  expect((await change(person, file.url)).status).toBe(200);
  expect(await picturesOf(person)).toEqual([file.url, file.url]);
  return { person, file };
}

describe('a profile picture', () => {
  test('may be a file that the service stores, also at the emulator, and the session returns it', async () => {
    const { person, file } = await withPicture();
    expect((await fetch(file.url)).status).toBe(200);
    const headers = await startSession(app.url, person);
    const session = await call('GET', `${app.url}/api/auth/session`, { headers });
    expect(await session.json()).toMatchObject({ user: { photoURL: file.url } });
  });

  test('leaves the profile when its file is deleted', async () => {
    const { person, file } = await withPicture();
    const removal = await call('DELETE', `${app.url}/api/uploads/${file.id}`, { headers: person.bearer });
    expect(removal.status).toBe(204);
    expect(await picturesOf(person)).toEqual([null, null]);
  });

  test('gets the new URL when the URL of its file is replaced', async () => {
    const { person, file } = await withPicture();
    const path = `${app.url}/api/uploads/${file.id}/revoke`;
    const { url } = (await (await call('POST', path, { headers: person.bearer })).json()) as Uploaded;
    expect(url).not.toBe(file.url);
    expect(await picturesOf(person)).toEqual([url, url]);
    expect((await fetch(url)).status).toBe(200);
  });

  test('gets the new URL by another request, if the first one could not change the profile', async () => {
    const { person, file } = await withPicture();
    const auth = {
      ...app.backend.auth,
      updateUser: () => Promise.reject(new Error('Firebase Auth is away.')),
    };
    await using failing = await serveApp({ backend: { auth } });
    const path = `/api/uploads/${file.id}/revoke`;
    expect((await call('POST', failing.url + path, { headers: person.bearer })).status).toBe(500);
    expect(await picturesOf(person)).toEqual([file.url, file.url]);
    const { url } = (await (
      await call('POST', app.url + path, { headers: person.bearer })
    ).json()) as Uploaded;
    expect(await picturesOf(person)).toEqual([url, url]);
  });

  test('leaves the profile by a second deletion of its file, if the first one changed only Firebase Auth', async () => {
    const { person, file } = await withPicture();
    await adminAuth().updateUser(person.uid, { photoURL: null });
    expect(await picturesOf(person)).toEqual([null, file.url]);
    const removal = await call('DELETE', `${app.url}/api/uploads/${file.id}`, { headers: person.bearer });
    expect(removal.status).toBe(204);
    expect(await picturesOf(person)).toEqual([null, null]);
  });

  test('that only the profile has gets the new URL when the URL of its file is replaced', async () => {
    const { person, file } = await withPicture();
    await adminAuth().updateUser(person.uid, { photoURL: 'https://example.com/other.png' });
    const path = `${app.url}/api/uploads/${file.id}/revoke`;
    const { url } = (await (await call('POST', path, { headers: person.bearer })).json()) as Uploaded;
    expect(await picturesOf(person)).toEqual(['https://example.com/other.png', url]);
  });

  test('stays when another file is deleted', async () => {
    const { person, file } = await withPicture();
    const other = await upload(person);
    await call('DELETE', `${app.url}/api/uploads/${other.id}`, { headers: person.bearer });
    expect(await picturesOf(person)).toEqual([file.url, file.url]);
  });

  test.each([
    ['of another bucket', (url: string) => url.replace(/\/b\/[^/]+/, '/b/foreign')],
    ['at another host', (url: string) => url.replace('://', '://evil.example@')],
    ['at another port', (url: string) => url.replace(/:\d+/, ':1')],
    ['at another path', (url: string) => url.replace('/v0/', '/v1/')],
  ])('may not be an http URL %s', async (_case, forge) => {
    const person = await signUp();
    const { url } = await upload(person);
    expect(forge(url)).not.toBe(url);
    expect((await change(person, forge(url))).status).toBe(400);
  });
});
