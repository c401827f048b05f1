import { beforeAll, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { hasEntitlement } from '../functions/src/billing/subscriptions/access/entitlements.ts';
import { deliverMail } from '../functions/src/mail/deliver.service.ts';
import { dueMail } from '../functions/src/mail/outbox.store.ts';
import { recipientIdOf } from '../functions/src/mail/recipient.ts';
import { startSmtpServer, type TestSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import { readFieldMarks } from '../functions/src/testing/field-marks.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, stripeOf } from './support/billing.ts';
import { adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { castOf, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

const HOUR_MS = 3_600_000;

/** The fields that docs/data-model.md marks as safe are edited as in the Firebase console. */
let app: AppUnderTest;
let smtp: TestSmtpServer;
const resources = useResources();
beforeAll(async () => {
  smtp = resources.use(await startSmtpServer());
  app = resources.use(
    await serveApp({ config: { mailSmtpUrl: smtp.url, invitationsPerRecipientPerDay: 1 } }),
  );
});

/** Changes fields of a document, lets the reconciliation run, and expects that the fields are kept. */
async function edit(path: string, fields: Record<string, unknown>): Promise<void> {
  const document = adminFirestore().doc(path);
  await document.update(fields);
  await reconcileBilling(app.backend);
  expect((await document.get()).data()).toMatchObject(fields);
}

const get = async ({ bearer }: Person, path: string) =>
  (await (await call('GET', `${app.url}${path}`, { headers: bearer })).json()) as Record<string, unknown>;

const newAddress = () => `${crypto.randomUUID()}@example.com`;

/** A team that pays, and the customer that Stripe has for it. */
async function payingTeam() {
  const cast = await castOf(app.url);
  await setSeatLimit(cast.teamId, 10);
  await buy(app, cast.owner, `pro?team=${cast.teamId}`);
  const customer = await adminFirestore().doc(`customers/${cast.teamId}`).get();
  const stripeId = customer.get('stripeId') as string;
  return { ...cast, atStripe: () => stripeOf(app).customers.retrieve(stripeId) };
}

/** The pending invitation of somebody new to a team. */
async function invitation() {
  const [cast, guest] = await Promise.all([castOf(app.url), signUp()]);
  await setSeatLimit(cast.teamId, 10);
  const { id } = await inviteTo(app.url, cast.owner, cast.teamId, guest.email);
  const accept = () =>
    call('POST', `${app.url}/api/auth/invitations/${id}/accept`, { headers: guest.bearer });
  return { ...cast, guest, id, accept };
}

const EDITS: Readonly<Record<string, () => Promise<void>>> = {
  'users.displayName': () => editProfile({ displayName: 'By hand' }),
  'users.photoURL': () => editProfile({ photoURL: 'https://example.com/by-hand.png' }),
  'users.activeTeamId': () => editProfile({ activeTeamId: 'team' }),
  'teams.name': async () => {
    const { teamId, owner, atStripe } = await payingTeam();
    await edit(`teams/${teamId}`, { name: 'By hand' });
    expect(await get(owner, `/api/auth/teams/${teamId}`)).toMatchObject({ name: 'By hand' });
    expect(await atStripe()).toMatchObject({ name: 'By hand' });
  },
  'teams.billingEmail': async () => {
    const { teamId, owner, atStripe } = await payingTeam();
    const billingEmail = newAddress();
    await edit(`teams/${teamId}`, { billingEmail });
    expect(await get(owner, `/api/auth/teams/${teamId}`)).toMatchObject({ billingEmail });
    expect(await atStripe()).toMatchObject({ email: billingEmail });
  },
  'teams.entitlements': async () => {
    const { teamId } = await payingTeam();
    await edit(`teams/${teamId}`, { entitlements: ['by-hand'] });
    const team = await app.backend.db.teams.get(teamId);
    expect(hasEntitlement(app.config, team ?? {}, 'by-hand')).toBe(true);
  },
  'members.displayName': async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await edit(`teams/${teamId}/members/${member.uid}`, { displayName: 'By hand' });
    expect(JSON.stringify(await get(owner, `/api/auth/teams/${teamId}/members`))).toContain('By hand');
  },
  'invitations.expiresAt': async () => {
    const { id, accept } = await invitation();
    const document = adminFirestore().doc(`invitations/${id}`);
    await document.update({ expiresAt: new Date(0) });
    expect((await accept()).status).toBe(410);
    await document.update({ expiresAt: new Date('2999-01-01') });
    expect((await accept()).status).toBe(200);
  },
  'mail.delivery': async () => {
    const { guest } = await invitation();
    const { docs } = await adminFirestore().collection('mail').where('to', '==', [guest.email]).get();
    const id = docs[0]?.id ?? '';
    const sent = () => smtp.messages.filter(({ raw }) => raw.includes(guest.email)).length;
    await deliverMail(app.backend, id);
    expect(sent()).toBe(1);
    await adminFirestore().doc(`mail/${id}`).update({ 'delivery.state': 'RETRY' });
    // The schedule finds the mail by its due time.
    const due = await dueMail(app.backend.db, new Date(Date.now() + HOUR_MS)).findPaths();
    expect(due.map((found) => found.id)).toContain(id);
    await deliverMail(app.backend, id);
    expect(sent()).toBe(2);
  },
  'mailRecipients.optedOutAt': async () => {
    const { guest, id, owner, teamId } = await invitation();
    const path = `mailRecipients/${recipientIdOf(guest.email)}`;
    await adminFirestore()
      .doc(path)
      .update({ optedOutAt: new Date(0), count: 0 });
    await resend(owner, teamId, id);
    expect(await mailTo(guest.email)).toHaveLength(1);
    await adminFirestore().doc(path).update({ optedOutAt: null, count: 0 });
    await resend(owner, teamId, id);
    expect(await mailTo(guest.email)).toHaveLength(2);
  },
  'mailRecipients.deleteAt': async () => {
    const { guest, id, owner, teamId } = await invitation();
    const path = `mailRecipients/${recipientIdOf(guest.email)}`;
    await adminFirestore()
      .doc(path)
      .update({ optedOutAt: new Date(0) });
    await edit(path, { deleteAt: null, count: 0 });
    expect((await resend(owner, teamId, id)).status).toBe(200);
    expect(await mailTo(guest.email)).toHaveLength(1);
    expect((await adminFirestore().doc(path).get()).get('deleteAt')).toBeNull();
  },
  'mailRecipients.count': async () => {
    const { guest, id, owner, teamId } = await invitation();
    expect((await resend(owner, teamId, id)).status).toBe(429);
    await edit(`mailRecipients/${recipientIdOf(guest.email)}`, { count: 0 });
    expect((await resend(owner, teamId, id)).status).toBe(200);
  },
  'customers.firstBuyerId': async () => {
    const { teamId, admin, atStripe } = await payingTeam();
    await edit(`customers/${teamId}`, { firstBuyerId: admin.uid });
    expect(await atStripe()).toMatchObject({ email: admin.email });
  },
};

async function editProfile(fields: Record<string, unknown>): Promise<void> {
  const person = await signUp();
  await startSession(app.url, person);
  await edit(`users/${person.uid}`, fields);
  // Signing in again copies the address only.
  const again = await signIn(person);
  await startSession(app.url, again);
  expect(await get(again, '/api/auth/user/export')).toMatchObject({ profile: fields });
}

function resend({ bearer }: Person, teamId: string, id: string): Promise<Response> {
  return call('POST', `${app.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, { headers: bearer });
}

describe('a field that is safe to edit has an effect, and is kept', () => {
  test.each(Object.entries(EDITS))('%s', async (_field, editIt) => {
    await editIt();
  });

  test('and every such field is tried here', () => {
    const safe = readFieldMarks().filter(({ mark }) => mark === 'safe');
    expect(safe.map(({ collection, field }) => `${collection}.${field}`).toSorted()).toEqual(
      Object.keys(EDITS).toSorted(),
    );
  });
});
