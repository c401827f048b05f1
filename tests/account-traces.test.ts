import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeWelcomeMail } from '../functions/src/account/account-mail.service.ts';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, checkout } from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { formWith, png } from './support/files.ts';
import { signUpOperator } from './support/operators.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import { addMember, auditLogOf, createTeam, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
/** Own Firestore, so that the test can search all documents. */
let firestore: MeteredFirestore;
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

const ask = (person: Person, method: string, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

const deleteUser = async (person: Person) => {
  expect((await ask(person, 'DELETE', 'user')).status).toBe(204);
};

/** The paths of all documents that contain a text, in their id or in a field. */
async function pathsWith(text: string): Promise<string[]> {
  const paths: string[] = [];
  const look = async (collection: FirebaseFirestore.CollectionReference): Promise<void> => {
    for (const ref of await collection.listDocuments()) {
      const found = JSON.stringify((await ref.get()).data() ?? {});
      if (ref.path.includes(text) || found.includes(text)) paths.push(ref.path);
      for (const below of await ref.listCollections()) await look(below);
    }
  };
  for (const collection of await adminFirestore().listCollections()) await look(collection);
  return paths;
}

/** Ids of the invitations to an address. */
const invitationsTo = async (email: string) =>
  (await adminFirestore().collection('invitations').where('email', '==', email).get()).docs.map(
    ({ id }) => id,
  );

const accept = ({ bearer }: Person, id: string) =>
  visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, bearer);

const upload = ({ bearer }: Person, query = '') =>
  call('POST', `${app.url}/api/upload${query}`, { headers: bearer, body: formWith(png(), 'me.png') });

/** Creates every kind of document that names a user, who is a member of one team and invited to another. */
async function settle(person: Person, owner: Person): Promise<{ teamId: string; pendingId: string }> {
  const teamId = await createTeam(app.url, owner);
  const elsewhere = await createTeam(app.url, owner, 'Elsewhere');
  await setSeatLimit(teamId, 20);
  const { id } = await inviteTo(app.url, owner, teamId, person.email, 'admin');
  await accept(person, id);
  await startSession(app.url, person);
  await inviteTo(app.url, person, teamId, 'guest@example.com');
  const { id: pendingId } = await inviteTo(app.url, owner, elsewhere, person.email);
  await ask(owner, 'PATCH', `teams/${teamId}/members/${person.uid}`, { role: 'owner' });
  await upload(person);
  await upload(person, `?team=${teamId}`);
  await checkout(app, person, `pro?team=${teamId}`);
  await checkout(app, person, 'pro');
  return { teamId, pendingId };
}

describe('after an account is deleted', () => {
  test('no document contains its uid or address, and the history of the team is complete', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const { teamId, pendingId } = await settle(person, owner);
    expect(await mailTo(person.email)).toHaveLength(2);
    const before = await auditLogOf(teamId);
    await deleteUser(person);

    expect(await pathsWith(person.uid)).toEqual([]);
    // The mail that confirms the deletion is kept for two days.
    expect(await pathsWith(person.email)).toEqual([expect.stringMatching(/^mail\//)]);
    const after = await auditLogOf(teamId);
    const pseudonym = after.find(({ action }) => action === 'invitation.accepted')?.actorId ?? '';
    expect(pseudonym).toMatch(/^deleted:[\w-]{22}$/);
    const told = JSON.stringify(before).replaceAll(person.uid, pseudonym).replaceAll(person.email, pseudonym);
    expect(JSON.stringify(after.slice(0, before.length))).toBe(told);
    expect((await adminFirestore().doc(`invitations/${pendingId}`).get()).exists).toBe(false);
  });

  test('the actions of operators on it have its pseudonym alone', async () => {
    const [operator, former, next] = await Promise.all([signUpOperator(), signUp(), signUp()]);
    const teamId = await createTeam(app.url, former);
    await addMember(teamId, next, 'admin');
    const act = (path: string, json?: object) =>
      call('POST', `${app.url}/api/admin/${path}`, { headers: operator.bearer, json });
    expect((await act(`teams/${teamId}/owner`, { uid: next.uid })).status).toBe(204);
    await writeWelcomeMail(app.backend, former.uid, former.email);
    const mail = `welcome-${former.uid}`;
    await adminFirestore().doc(`mail/${mail}`).update({ 'delivery.state': 'ERROR' });
    expect((await act(`mail/${mail}/resend`)).status).toBe(204);
    expect(await pathsWith(mail)).toHaveLength(2);
    await deleteUser(former);
    expect(await pathsWith(former.uid)).toEqual([]);
  });

  test('invitations that it sent or received are cancelled, and the audit log records it', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, person, 'admin');
    await setSeatLimit(teamId, 20);
    const sent = await inviteTo(app.url, person, teamId, 'guest@example.com');
    const elsewhere = await createTeam(app.url, owner);
    const received = await inviteTo(app.url, owner, elsewhere, person.email);
    await deleteUser(person);

    const document = await adminFirestore().doc(`invitations/${sent.id}`).get();
    expect(document.data()).toMatchObject({
      status: 'cancelled',
      invitedBy: expect.stringMatching(/^deleted:/) as string,
    });
    expect((await auditLogOf(elsewhere)).at(-1)).toMatchObject({
      actorId: 'system',
      action: 'invitation.cancelled',
      target: received.id,
      details: { reason: 'account_deleted', email: expect.stringMatching(/^deleted:/) as string },
    });
  });

  test('its files in a team stay under its pseudonym', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, person, 'member');
    await upload(person, `?team=${teamId}`);
    await deleteUser(person);
    const answer = await call('GET', `${app.url}/api/uploads?team=${teamId}`, { headers: owner.bearer });
    const { uploads } = (await answer.json()) as { uploads: { createdBy: string; url: string }[] };
    expect(uploads).toMatchObject([{ createdBy: expect.stringMatching(/^deleted:/) as string }]);
    expect((await fetch(uploads[0]?.url ?? '')).status).toBe(200);
  });

  /** Gives the account another address, and deletes it. */
  const deleteWithNewAddress = async (person: Person) => {
    const email = `${randomUUID()}@example.com`;
    await adminAuth().updateUser(person.uid, { email, emailVerified: true });
    await deleteUser(await signIn({ ...person, email }));
    return email;
  };

  test('an earlier address is removed with the invitations that it accepted with it', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const { teamId, pendingId } = await settle(person, owner);
    const email = await deleteWithNewAddress(person);
    const log = JSON.stringify(await auditLogOf(teamId));
    expect([log.includes(person.email), log.includes(email)]).toEqual([false, false]);
    // Nothing shows that the user has read the other invitation.
    expect(await invitationsTo(person.email)).toEqual([pendingId]);
  });

  test('an earlier address is removed with invitations that it rejected, or that a shared one replaced', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const [rejecting, replacing] = [await createTeam(app.url, owner), await createTeam(app.url, owner)];
    const { id } = await inviteTo(app.url, owner, rejecting, person.email);
    await ask(person, 'POST', `invitations/${id}/reject`, {});
    await inviteTo(app.url, owner, replacing, person.email);
    const made = await ask(owner, 'POST', `teams/${replacing}/invitations/link`, { role: 'member' });
    const { acceptUrl, ...shared } = (await made.json()) as { id: string; acceptUrl: string };
    const link = new URL(acceptUrl).searchParams.get('invitationId') ?? '';
    expect((await ask(person, 'POST', `invitations/${link}/accept`, {})).status).toBe(200);
    await deleteWithNewAddress(person);
    expect(await invitationsTo(person.email)).toEqual([]);
    expect((await pathsWith(person.email)).filter((path) => !path.startsWith('mail/'))).toEqual([]);
    expect((await adminFirestore().doc(`invitations/${shared.id}`).get()).get('status')).toBe('accepted');
  });

  test('invitations that it has sent again keep the address of their recipient', async () => {
    const [person, owner, guest] = await Promise.all([signUp(), signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, person, 'admin');
    await setSeatLimit(teamId, 20);
    const first = await inviteTo(app.url, person, teamId, guest.email);
    const second = await inviteTo(app.url, person, teamId, guest.email, 'admin');
    await accept(guest, second.id);
    await deleteWithNewAddress(person);
    expect((await invitationsTo(guest.email)).sort()).toEqual([first.id, second.id].sort());
  });

  test('the first buyer of a team is forgotten, also under the field name of version 0.1', async () => {
    const person = await signUp();
    const customer = adminFirestore().doc(`customers/${randomUUID()}`);
    const names = { email: null, name: null, creationKey: 'key', creationKeyAt: new Date() };
    await customer.create({ type: 'team', ...names, contactId: person.uid });
    await deleteUser(person);
    expect((await customer.get()).data()).toMatchObject({ type: 'team', firstBuyerId: null });
    expect((await customer.get()).data()).not.toHaveProperty('contactId');
    await customer.delete();
  });

  test('the buyer in a checkout of a team is forgotten, also under the field name of version 0.1', async () => {
    const person = await signUp();
    const customer = adminFirestore().doc(`customers/${randomUUID()}`);
    const names = { email: null, name: null, creationKey: 'key', creationKeyAt: new Date() };
    const checkout = { priceId: 'price_1', quantity: 1, trialDays: 0, ownerId: 'owner' };
    await customer.create({
      type: 'team',
      ...names,
      checkout: { ...checkout, callerId: person.uid, key: 'k' },
    });
    await deleteUser(person);
    expect((await customer.get()).get('checkout.callerId')).toMatch(/^deleted:/);
    await customer.delete();
  });

  test('mail to several people stays, without the address in its recipients and its error', async () => {
    const person = await signUp();
    const written = await adminFirestore()
      .collection('mail')
      .add({
        to: [person.email, 'ada@example.com'],
        message: { subject: 's', text: 't' },
        delivery: { state: 'ERROR', error: `550 <${person.email}> unknown`, dueTime: null },
      });
    await deleteUser(person);
    const { to, delivery } = (await written.get()).data() as { to: string[]; delivery: object };
    expect([to, delivery]).toEqual([['ada@example.com'], expect.objectContaining({ error: null })]);
  });

  test('all entries are pseudonymized, even if they exceed one batch', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    const batch = adminFirestore().batch();
    for (let index = 0; index < 260; index++) {
      const entry = { teamId, actorId: person.uid, action: 'team.updated', target: teamId, at: new Date() };
      batch.create(adminFirestore().collection('auditLog').doc(), { ...entry, details: {} });
    }
    await batch.commit();
    await deleteUser(person);
    expect(await pathsWith(person.uid)).toEqual([]);
  });

  test('data under an unverified address stays, because anybody can register any address', async () => {
    const email = `${randomUUID()}@example.com`;
    const [impostor, owner] = await Promise.all([signUp({ email, emailVerified: false }), signUp()]);
    const teamId = await createTeam(app.url, owner);
    const { id } = await inviteTo(app.url, owner, teamId, email);
    await deleteUser(impostor);
    const invitation = await adminFirestore().doc(`invitations/${id}`).get();
    expect(invitation.data()).toMatchObject({ status: 'pending', email });
    expect(await mailTo(email)).toHaveLength(1);
    expect(await pathsWith(impostor.uid)).toEqual([]);
  });

  test('a late event does not change data of the next account with the same address', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    await adminAuth().deleteUser(person.uid);
    await signUp({ email: person.email });
    const { id } = await inviteTo(app.url, owner, await createTeam(app.url, owner), person.email);
    const { uid, email } = person;
    await cleanUpAccount(app.backend, { uid, email, emailVerified: true });
    expect((await adminFirestore().doc(`invitations/${id}`).get()).get('status')).toBe('pending');
  });

  test('the customer of a team loses its address and can still be billed', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, person, 'admin');
    await checkout(app, person, `pro?team=${teamId}`);
    await deleteUser(person);
    await buy(app, owner, `pro?team=${teamId}`);
    expect((await adminFirestore().doc(`teams/${teamId}`).get()).get('plan')).toBe('pro');
  });
});

test('an entry of the audit log expires after AUDIT_DAYS', async () => {
  await using short = await serveApp({ config: { auditDays: 30 } });
  const owner = await signUp();
  const teamId = await createTeam(short.url, owner);
  const { docs } = await adminFirestore().collection('auditLog').where('teamId', '==', teamId).get();
  const [entry] = docs.map(
    (document) => document.data() as Record<'at' | 'deleteAt', { toMillis: () => number }>,
  );
  expect((entry?.deleteAt.toMillis() ?? 0) - (entry?.at.toMillis() ?? 0)).toBe(30 * 86_400_000);
});
