import { randomUUID } from 'node:crypto';
import { request as openRequest, type ClientRequest } from 'node:http';
import type { Auth } from 'firebase-admin/auth';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import type { Backend } from '../functions/src/backend.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { windowCounter } from '../functions/src/rate-limits/window-counter.ts';
import { refusal } from '../functions/src/refusals/refusals.ts';
import { storeReceivedFile } from '../functions/src/uploads/api/upload.service.ts';
import { finalizeObject } from '../functions/src/uploads/finalize/finalize.service.ts';
import { ownerWithSender } from '../functions/src/uploads/records/owner.ts';
import { form } from '../functions/src/uploads/testing/forms.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { eventOf, isThere, sendAs, storageAfter } from './support/direct-uploads.ts';
import { png } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';

/** A Firestore of its own: in the stack's, the deployed triggers make profiles and clean up. */
let app: AppUnderTest;
/** Another instance, which does not share the cache of `app`. */
let other: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
  other = resources.use(await serveApp());
});

const REFUSED = refusal('too_many_requests');
const refusals = windowCounter({ points: 1, seconds: 3600 });

const FILE = { name: 'photo.png', declaredType: 'image/png', bytes: png() };

/** The documents and objects of a user's uploads. */
async function tracesOf({ uid }: Pick<Person, 'uid'>): Promise<string[]> {
  const bucket = await app.backend.bucket();
  const [[objects], uploads, usage] = await Promise.all([
    bucket.getFiles({ prefix: `uploads/${uid}/` }),
    adminFirestore().collection('uploads').where('ownerId', '==', uid).get(),
    adminFirestore().doc(`usage/${uid}`).get(),
  ]);
  const documents = [...uploads.docs, usage].filter(({ exists }) => exists).map(({ ref }) => ref.path);
  return [...objects.map(({ name }) => name), ...documents];
}

async function deleteAccount({ bearer }: Person): Promise<void> {
  const { status } = await call('DELETE', `${other.url}/api/auth/user`, { headers: bearer });
  expect(status).toBe(204);
}

/** An app that says when it has authenticated a request that may use a cached state. */
async function appWithNotice(): Promise<{ url: string; authenticated: Promise<undefined> }> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { userStates } = app.backend;
  const cachedOrCurrent: Backend['userStates']['cachedOrCurrent'] = async (...user) => {
    const state = await userStates.cachedOrCurrent(...user);
    resolve(undefined);
    return state;
  };
  const { url } = resources.use(
    await serveApp({ backend: { userStates: { ...userStates, cachedOrCurrent } } }),
  );
  return { url, authenticated: promise };
}

/** Sends the head of an upload and half of its body. `finish` sends the rest, and resolves with the status. */
function beginUpload(url: string, { bearer }: Person): { finish: () => Promise<number | undefined> } {
  const part = 'Content-Disposition: form-data; name="file"; filename="photo.png"';
  const { headers, body } = form([{ headers: [part, 'Content-Type: image/png'], body: png() }]);
  const request: ClientRequest = openRequest(`${url}/api/upload`, {
    method: 'POST',
    headers: { ...headers, ...bearer, 'content-length': body.length },
  });
  const half = Math.floor(body.length / 2);
  request.write(body.subarray(0, half));
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  return {
    finish: () => {
      request.end(body.subarray(half));
      return status;
    },
  };
}

describe('an API upload', () => {
  test('is refused and leaves nothing if its sender deletes the account while its body arrives', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const { url, authenticated } = await appWithNotice();
    const { finish } = beginUpload(url, person);
    await authenticated;
    await deleteAccount(person);
    expect(await finish()).toBe(401);
    expect(await tracesOf(person)).toEqual([]);
  });

  test('is stored although its sender has no profile yet', async () => {
    const person = await signUp();
    expect((await adminFirestore().doc(`users/${person.uid}`).get()).exists).toBe(false);
    await storeReceivedFile(app.backend, ownerWithSender(person), FILE, 'public');
    expect(await tracesOf(person)).toHaveLength(3);
  });

  test('is stored although the profile of its sender is damaged', async () => {
    const person = await signUp();
    await adminFirestore().doc(`users/${person.uid}`).create({ email: 3 });
    await storeReceivedFile(app.backend, ownerWithSender(person), FILE, 'public');
    expect(await tracesOf(person)).toHaveLength(3);
  });

  test('is purged before the profile if it is reserved after the purge of the deletion', async () => {
    const uid = randomUUID();
    const profile = adminFirestore().doc(`users/${uid}`);
    await profile.create({ createdAt: new Date() });
    let isLate = true;
    const uploadOnce = async () => {
      if (isLate) await storeReceivedFile(app.backend, ownerWithSender({ uid }), FILE, 'public');
      isLate = false;
      return 0;
    };
    const featureHooks = { ...FEATURE_HOOKS, purgeAccount: [...FEATURE_HOOKS.purgeAccount, uploadOnce] };
    await expect(cleanUpAccount({ ...app.backend, featureHooks }, { uid })).rejects.toThrow();
    expect((await profile.get()).exists).toBe(true);
    await cleanUpAccount(app.backend, { uid });
    expect([await tracesOf({ uid }), (await profile.get()).exists]).toEqual([[], false]);
  });

  test('is purged before the profile if it is reserved during the purge of the deletion', async () => {
    const uid = randomUUID();
    const profile = adminFirestore().doc(`users/${uid}`);
    await profile.create({ createdAt: new Date() });
    const uploadOne = () => storeReceivedFile(app.backend, ownerWithSender({ uid }), FILE, 'public');
    await uploadOne();
    const { backend } = storageAfter(app, 'delete', uploadOne);
    await expect(cleanUpAccount(backend, { uid })).rejects.toThrow();
    expect((await profile.get()).exists).toBe(true);
    await cleanUpAccount(app.backend, { uid });
    expect([await tracesOf({ uid }), (await profile.get()).exists]).toEqual([[], false]);
  });
});

describe('a direct upload', () => {
  test('leaves nothing if its sender was deleted before it is reserved', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const { path } = await sendAs(person);
    // Counting it comes after the look-up of the sender.
    const countUpload = () => deleteAccount(person);
    await finalizeObject({ backend: app.backend, countUpload, refusals }, await eventOf(app, path));
    await expect(adminAuth().getUser(person.uid)).rejects.toThrow();
    expect(await tracesOf(person)).toEqual([]);
  });

  test('leaves nothing if its sender was deleted before it is refused', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const { path } = await sendAs(person);
    const countUpload = async () => {
      await deleteAccount(person);
      throw REFUSED;
    };
    await finalizeObject({ backend: app.backend, countUpload, refusals }, await eventOf(app, path));
    await expect(adminAuth().getUser(person.uid)).rejects.toThrow();
    expect(await tracesOf(person)).toEqual([]);
  });

  test('is purged before the profile if it is refused after the purge of the deletion', async () => {
    const person = await signUp();
    const { uid } = person;
    const profile = adminFirestore().doc(`users/${uid}`);
    await profile.create({ createdAt: new Date() });
    const { path } = await sendAs(person);
    const user = await adminAuth().getUser(uid);
    await adminAuth().deleteUser(uid);
    // The event looks the sender up before the deletion, and refuses the upload later.
    const auth = Object.assign(Object.create(app.backend.auth) as Auth, {
      getUser: () => Promise.resolve(user),
    });
    const event = await eventOf(app, path);
    const refuseLate = async () => {
      if (await isThere(app, path)) {
        await finalizeObject(
          {
            backend: { ...app.backend, auth },
            countUpload: () => Promise.reject(REFUSED),
            refusals,
          },
          event,
        );
      }
      return 0;
    };
    const featureHooks = { ...FEATURE_HOOKS, purgeAccount: [...FEATURE_HOOKS.purgeAccount, refuseLate] };
    await expect(cleanUpAccount({ ...app.backend, featureHooks }, { uid })).rejects.toThrow();
    expect((await profile.get()).exists).toBe(true);
    await cleanUpAccount(app.backend, { uid });
    expect([await tracesOf(person), (await profile.get()).exists]).toEqual([[], false]);
  });
});
