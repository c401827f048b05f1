import { FieldValue } from 'firebase-admin/firestore';
import { beforeAll, describe, expect, test } from 'vitest';
import { forgetSenderOfUploads } from '../functions/src/uploads/manage/forget.service.ts';
import { sweepOutdatedUploads } from '../functions/src/uploads/manage/sweep.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { documentOf, eventOf, finalize, isThere, sendAs, type Sent } from './support/direct-uploads.ts';
import { formWith, png } from './support/files.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { castOf } from './support/teams.ts';
import { usedBytes } from './support/uploads.ts';

/** A Firestore of its own, because these sweeps run at a later time and would remove uploads of other tests. */
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

const PICTURE = png();

const ask = (method: string, { bearer: headers }: Person, path: string) =>
  call(method, `${app.url}/api/uploads${path}`, { headers });

const upload = ({ bearer: headers }: Person, query = '') =>
  call('POST', `${app.url}/api/upload${query}`, { headers, body: formWith(PICTURE, 'photo.png') });

async function uploadAs(person: Person, query = ''): Promise<Sent> {
  const id = (await upload(person, query)).headers.get('X-Upload-Id') ?? '';
  return { id, path: String((await documentOf({ id, path: '' }))?.['path']) };
}

const documentAt = (path: string) => adminFirestore().doc(path);
const reference = () => documentAt('elsewhere/document');
const inHours = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);
const DAMAGED = { status: 500, code: 'document_damaged' };

/** New values of fields. */
type Damage = [what: string, change: () => Record<string, unknown>];

const UPLOAD_DAMAGE: Damage[] = [
  ['a reference in name', () => ({ name: reference() })],
  ['no path', () => ({ path: FieldValue.delete() })],
  ['a text in size', () => ({ size: '3' })],
  ['an incomplete variant', () => ({ variants: [{ width: 1 }] })],
];

const damage = ({ id }: Sent, change: () => Record<string, unknown>) =>
  documentAt(`uploads/${id}`).update(change());

describe.each(UPLOAD_DAMAGE)('an upload with %s', (_what, change) => {
  test('is refused with document_damaged, and keeps its object', async () => {
    const person = await signUp();
    const sent = await uploadAs(person);
    await damage(sent, change);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/revoke'],
    ] as const) {
      expect(await errorOf(await ask(method, person, `/${sent.id}${path}`))).toMatchObject(DAMAGED);
    }
    expect(await isThere(app, sent.path)).toBe(true);
  });

  test('is left out of the list', async () => {
    const person = await signUp();
    const [sent, other] = [await uploadAs(person), await uploadAs(person)];
    await damage(sent, change);
    const { uploads } = (await (await ask('GET', person, '?limit=1')).json()) as { uploads: Sent[] };
    expect(uploads.map(({ id }) => id)).toEqual([other.id]);
  });

  test('is deleted with the account, with its objects', async () => {
    const person = await signUp();
    const [sent, other] = [await uploadAs(person), await uploadAs(person)];
    await damage(sent, change);
    const answer = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
    expect(answer.status).toBe(204);
    for (const gone of [sent, other]) {
      expect([await isThere(app, gone.path), await documentOf(gone)]).toEqual([false, undefined]);
    }
    expect((await documentAt(`usage/${person.uid}`).get()).exists).toBe(false);
  });

  test('does not stop the sweep from refusing abandoned uploads behind it', async () => {
    const person = await signUp();
    const [sent, other] = [await uploadAs(person), await uploadAs(person)];
    for (const { id } of [sent, other]) await documentAt(`uploads/${id}`).update({ status: 'pending' });
    await damage(sent, change);
    await sweepOutdatedUploads({ ...app.backend, now: inHours(2) }, 1);
    expect(await documentOf(other)).toBeUndefined();
    expect(await documentOf(sent)).toMatchObject({ status: 'pending' });
    await documentAt(`uploads/${sent.id}`).delete();
  });

  test('does not stop the sweep from removing expired uploads behind it', async () => {
    const person = await signUp();
    const [sent, other] = [await uploadAs(person), await uploadAs(person)];
    await documentAt(`uploads/${sent.id}`).update({ deleteAt: new Date(0) });
    await documentAt(`uploads/${other.id}`).update({ deleteAt: new Date(1) });
    await damage(sent, change);
    expect(await sweepOutdatedUploads(app.backend, 1)).toBe(1);
    expect(await documentOf(other)).toBeUndefined();
    await documentAt(`uploads/${sent.id}`).delete();
  });

  test('lets its event end without an effect, so that it is not repeated', async () => {
    const sent = await sendAs(await signUp());
    const event = await eventOf(app, sent.path);
    await finalize(app, event);
    await damage(sent, change);
    const before = await documentOf(sent);
    await finalize(app, event);
    expect([await documentOf(sent), await isThere(app, sent.path)]).toEqual([before, true]);
  });

  test('gets the pseudonym of a deleted sender', async () => {
    const { teamId, member } = await castOf(app.url);
    const sent = await uploadAs(member, `?team=${teamId}`);
    await damage(sent, change);
    const former = { ...member, verifiedEmail: member.email, pseudonym: 'deleted:1' };
    expect(await forgetSenderOfUploads(app.backend, former, 10)).toBe(1);
    expect(await documentOf(sent)).toMatchObject({ createdBy: 'deleted:1' });
  });
});

test('unknown fields of an upload are harmless', async () => {
  const person = await signUp();
  const sent = await uploadAs(person);
  await damage(sent, () => ({ note: reference() }));
  expect((await ask('GET', person, `/${sent.id}`)).status).toBe(200);
  expect((await ask('POST', person, `/${sent.id}/revoke`)).status).toBe(200);
  expect((await ask('DELETE', person, `/${sent.id}`)).status).toBe(204);
});

describe.each<Damage>([
  ['a reference in bytes', () => ({ bytes: reference() })],
  ['no bytes', () => ({ bytes: FieldValue.delete() })],
  ['a text in bytes', () => ({ bytes: '3' })],
])('a usage with %s', (_what, change) => {
  const damageUsage = ({ uid }: Person) => documentAt(`usage/${uid}`).update(change());

  test('refuses new uploads, and allows their removal', async () => {
    const person = await signUp();
    const sent = await uploadAs(person);
    await damageUsage(person);
    // The upload route answers its failures with one general message.
    expect((await upload(person)).status).toBe(500);
    expect((await ask('DELETE', person, `/${sent.id}`)).status).toBe(204);
    expect(await isThere(app, sent.path)).toBe(false);
  });

  test('refuses direct uploads and removes their objects', async () => {
    const person = await signUp();
    await uploadAs(person);
    await damageUsage(person);
    const sent = await sendAs(person);
    await finalize(app, await eventOf(app, sent.path));
    expect(await documentOf(sent)).toMatchObject({ status: 'refused', reason: 'document_damaged' });
    expect(await isThere(app, sent.path)).toBe(false);
  });

  test('does not stop the sweep', async () => {
    const person = await signUp();
    const sent = await uploadAs(person);
    await documentAt(`uploads/${sent.id}`).update({ status: 'pending' });
    await damageUsage(person);
    await sweepOutdatedUploads({ ...app.backend, now: inHours(2) });
    expect([await documentOf(sent), await isThere(app, sent.path)]).toEqual([undefined, false]);
  });

  test('is deleted with the account', async () => {
    const person = await signUp();
    const sent = await uploadAs(person);
    await damageUsage(person);
    const answer = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
    expect(answer.status).toBe(204);
    expect([await isThere(app, sent.path), await usedBytes(person.uid)]).toEqual([false, 0]);
  });
});

test('a direct upload to a damaged team is refused', async () => {
  const { teamId, member } = await castOf(app.url);
  await documentAt(`teams/${teamId}`).update({ slug: FieldValue.delete() });
  const metadata = { contentType: 'image/png', customMetadata: { team: teamId } };
  const sent = await sendAs(member, PICTURE, metadata);
  await finalize(app, await eventOf(app, sent.path));
  expect(await documentOf(sent)).toMatchObject({ status: 'refused', reason: 'document_damaged' });
  expect(await isThere(app, sent.path)).toBe(false);
});
