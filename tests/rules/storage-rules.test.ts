import { readFileSync } from 'node:fs';
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
  type TokenOptions,
} from '@firebase/rules-unit-testing';
import {
  deleteObject,
  getBytes,
  getDownloadURL,
  getMetadata,
  list,
  ref,
  uploadBytes,
  type FirebaseStorage,
} from 'firebase/storage';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';

const ID = 'a'.repeat(32);
const own = (name: string) => `uploads/member/${ID}/${name}`;
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

let environment: RulesTestEnvironment;
let member: FirebaseStorage;
let stranger: FirebaseStorage;
let unverified: FirebaseStorage;
let withPhone: FirebaseStorage;
let signedOut: FirebaseStorage;

beforeAll(async () => {
  environment = await initializeTestEnvironment({
    // Storage rules belong to the project that the emulators run for.
    projectId: inject('stack').projectId,
    storage: {
      host: '127.0.0.1',
      port: inject('stack').ports.storage,
      rules: readFileSync(new URL('../../storage.rules', import.meta.url), 'utf8'),
    },
  });
  member = environment.authenticatedContext('member', { email_verified: true }).storage();
  stranger = environment.authenticatedContext('stranger', { email_verified: true }).storage();
  unverified = environment.authenticatedContext('unverified', { email_verified: false }).storage();
  withPhone = environment.authenticatedContext('caller', { phone_number: '+15555550100' }).storage();
  signedOut = environment.unauthenticatedContext().storage();
});
afterAll(() => environment.cleanup());

const send = (storage: FirebaseStorage, path: string, contentType: string, bytes = 4) =>
  uploadBytes(ref(storage, path), new Uint8Array(bytes), { contentType });

describe('a user stores a file of an accepted kind below their own prefix', () => {
  test.each([
    ['photo.jpg', 'image/jpeg'],
    ['photo.JPEG', 'image/jpeg'],
    ['photo.png', 'image/png'],
    ['photo.gif', 'image/gif'],
    ['photo.webp', 'image/webp'],
    ['paper.pdf', 'application/pdf'],
    ['letter.doc', 'application/msword'],
    ['letter.docx', DOCX],
    ['note.txt', 'text/plain'],
    ['фото.png', 'image/png'],
  ])('%s as %s', async (name, contentType) => {
    await assertSucceeds(send(member, own(name), contentType));
    await assertFails(send(stranger, own(`other-${name}`), contentType));
    await assertFails(send(signedOut, own(`other-${name}`), contentType));
  });
});

test('a user of a tenant stores no file below the prefix of the same uid', async () => {
  const token = { email_verified: true, firebase: { sign_in_provider: 'custom', tenant: 'customer-abc' } };
  const ofTenant = environment.authenticatedContext('member', token as TokenOptions).storage();
  await assertFails(send(ofTenant, own('tenant.png'), 'image/png'));
});

describe('a user does not store', () => {
  test.each([
    ['a page', own('page.html'), 'text/html'],
    ['a page named as a picture', own('page.png'), 'text/html'],
    ['a picture named as a page', own('page.html'), 'image/png'],
    ['a drawing that can run scripts', own('drawing.svg'), 'image/svg+xml'],
    ['a program', own('setup.exe'), 'application/octet-stream'],
    ['a file without extension', own('file'), 'image/png'],
    ['a file beside the prefix', 'photo.png', 'image/png'],
    ['a file deeper than the prefix', own('deeper/photo.png'), 'image/png'],
    ['a file under an id that can be guessed', 'uploads/member/1/photo.png', 'image/png'],
  ])('%s', async (_what, path, contentType) => {
    await assertFails(send(member, path, contentType));
  });

  test('an empty file', async () => {
    await assertFails(send(member, own('empty.png'), 'image/png', 0));
  });

  test('over an existing file', async () => {
    await assertSucceeds(send(member, own('once.png'), 'image/png'));
    await assertFails(send(member, own('once.png'), 'image/png'));
  });
});

describe('a user stores no file', () => {
  test('with an unverified address', async () => {
    await assertFails(send(unverified, `uploads/unverified/${ID}/a.png`, 'image/png'));
  });

  test('without an address or a phone number, such as an anonymous one', async () => {
    const anonymous = environment.authenticatedContext('anonymous').storage();
    await assertFails(send(anonymous, `uploads/anonymous/${ID}/a.png`, 'image/png'));
  });

  test('unless the account has a phone number', async () => {
    await assertSucceeds(send(withPhone, `uploads/caller/${ID}/a.png`, 'image/png'));
  });
});

test('a stored file can be read by its URL only, and only the backend deletes it', async () => {
  await assertSucceeds(send(member, own('seen.png'), 'image/png'));
  for (const storage of [member, stranger, signedOut]) {
    const file = ref(storage, own('seen.png'));
    await assertFails(getMetadata(file));
    await assertFails(getDownloadURL(file));
    await assertFails(getBytes(file));
    await assertFails(list(ref(storage, `uploads/member/${ID}`)));
  }
  await assertFails(deleteObject(ref(member, own('seen.png'))));
});
