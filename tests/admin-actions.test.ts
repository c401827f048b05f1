import { beforeAll, describe, expect, test } from 'vitest';
import { idOf } from '../functions/src/billing/stripe/stripe-ids.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, claimsOf, subscriptionOf } from './support/billing.ts';
import { formWith, png } from './support/files.ts';
import { entriesBy, operatorApi, signUpOperator, bodyOf } from './support/operators.ts';
import {
  adminAuth,
  adminFirestore,
  nextSecond,
  signIn,
  signUp,
  startSession,
  type Person,
} from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import {
  auditLogOf,
  castOf,
  createTeam,
  inviteTo,
  mailTo,
  membersOf,
  setSeatLimit,
} from './support/teams.ts';

const UNTIL = '2999-01-01T00:00:00.000Z';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const ask = operatorApi(() => app);

/** Expects an answer without a body, and returns the entries that the operator has caused. */
async function done(operator: Person, response: Response) {
  expect(response.status, await response.text()).toBe(204);
  return entriesBy(operator.uid);
}

const session = ({ bearer }: Person) => call('GET', `${app.url}/api/auth/session`, { headers: bearer });

describe('a search', () => {
  const search = async (operator: Person, text: string) =>
    bodyOf(await ask(operator, 'GET', `/search?text=${encodeURIComponent(text)}`));

  test('finds a user by address, uid, and the id of the customer or the subscription at Stripe', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    await buy(app, person, 'pro');
    const { id, customer } = await subscriptionOf(app, person.uid);
    for (const text of [person.email.toUpperCase(), person.uid, ` ${id} `, idOf(customer)]) {
      expect(await search(operator, text), text).toMatchObject({ users: [{ uid: person.uid }], teams: [] });
    }
  });

  test('finds a team by id, by slug, and by the customer at Stripe', async () => {
    const operator = await signUpOperator();
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    const slug = (await adminFirestore().doc(`teams/${teamId}`).get()).get('slug') as string;
    const { customer } = await subscriptionOf(app, teamId);
    for (const text of [teamId, slug, idOf(customer)]) {
      expect(await search(operator, text), text).toMatchObject({ users: [], teams: [{ id: teamId }] });
    }
  });

  test.each(['nobody@example.com', 'nobody', 'cus_unknown', 'sub_unknown', 'a/b', '..', 'x'.repeat(300)])(
    'for %s finds nothing',
    async (text) => {
      expect(await search(await signUpOperator(), text)).toEqual({ users: [], teams: [] });
    },
  );
});

describe('the description', () => {
  test('has for a user: account, teams, plan, subscriptions, files and invitations', async () => {
    const [operator, person, friend] = await Promise.all([signUpOperator(), signUp(), signUp()]);
    const teamId = await createTeam(app.url, person);
    const invitation = await inviteTo(app.url, friend, await createTeam(app.url, friend), person.email);
    await buy(app, person, 'pro');
    await call('POST', `${app.url}/api/upload`, { headers: person.bearer, body: formWith(png(), 'a.png') });
    const body = await bodyOf(await ask(operator, 'GET', `/users/${person.uid}`));
    expect(body).toMatchObject({
      user: { uid: person.uid, email: person.email, disabled: false, isOperator: false },
      account: { emailVerified: true },
      plan: 'pro',
      comp: null,
      teams: [{ id: teamId, role: 'owner' }],
      invitations: [{ id: invitation.id, status: 'pending' }],
      subscriptions: [{ status: 'active', role: 'pro' }],
      uploads: [{ name: 'a.png', status: 'stored' }],
    });
    expect(JSON.stringify(body)).not.toMatch(/passwordHash|secretHash|creationKey/);
  });

  test('has for a team: members, invitations, plan and the latest entries of its audit log', async () => {
    const operator = await signUpOperator();
    const { teamId, owner } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    await inviteTo(app.url, owner, teamId, 'guest@example.com');
    const body = await bodyOf(await ask(operator, 'GET', `/teams/${teamId}`));
    expect(body).toMatchObject({
      team: { id: teamId, ownerId: owner.uid, plan: 'free' },
      invitations: [{ email: 'guest@example.com' }],
      auditEntries: [{ action: 'invitation.created' }, { action: 'team.created' }],
    });
    expect(body['members']).toHaveLength(3);
  });

  test.each(['/users/nobody', '/teams/nobody', '/invitations/nobody', '/uploads/nobody'])(
    'is refused with 404 for %s',
    async (path) => {
      const { status, code } = await errorOf(await ask(await signUpOperator(), 'GET', path));
      expect(status).toBe(404);
      expect(code).not.toBe('not_found');
    },
  );
});

describe('an account', () => {
  test('is disabled immediately, and enabled again', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const change = (disabled: boolean) => ask(operator, 'PATCH', `/users/${person.uid}`, { disabled });
    expect(await done(operator, await change(true))).toMatchObject([
      { action: 'admin.user_changed', target: person.uid, teamId: '', details: { disabled: 'true' } },
    ]);
    expect((await session(person)).status).toBe(401);
    await done(operator, await change(false));
    const again = await signIn(person);
    expect((await session(again)).status).toBe(200);
  });

  test('gets no session back when it is enabled again', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const cookie = await startSession(app.url, person);
    const change = (disabled: boolean) => ask(operator, 'PATCH', `/users/${person.uid}`, { disabled });
    await done(operator, await change(true));
    await done(operator, await change(false));
    for (const headers of [cookie, person.bearer]) {
      expect((await call('GET', `${app.url}/api/auth/session`, { headers })).status).toBe(401);
    }
    expect((await adminFirestore().collection(`users/${person.uid}/sessions`).get()).size).toBe(0);
  });

  test('gets a verified address', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp({ emailVerified: false })]);
    const verifiedEmail = person.email.toUpperCase();
    const response = await ask(operator, 'PATCH', `/users/${person.uid}`, { verifiedEmail });
    expect(await done(operator, response)).toMatchObject([
      { details: { emailVerified: 'true', email: person.email } },
    ]);
    expect((await adminAuth().getUser(person.uid)).emailVerified).toBe(true);
  });

  test('does not get another address verified than the person has proved', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp({ emailVerified: false })]);
    const { uid } = person;
    await adminAuth().updateUser(uid, { email: `victim-${person.email}` });
    const response = await ask(operator, 'PATCH', `/users/${uid}`, { verifiedEmail: person.email });
    expect(await errorOf(response)).toMatchObject({ status: 409, code: 'email_differs' });
    const phone = await adminAuth().createUser({});
    const without = await ask(operator, 'PATCH', `/users/${phone.uid}`, { verifiedEmail: person.email });
    expect(await errorOf(without)).toMatchObject({ status: 409, code: 'email_differs' });
    expect((await adminAuth().getUser(uid)).emailVerified).toBe(false);
    const { size } = await adminFirestore().collection('auditLog').where('target', '==', uid).get();
    expect(size).toBe(0);
  });

  test('that is deleted has no verified address in the audit log', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp({ emailVerified: false })]);
    const { uid, email } = person;
    await ask(operator, 'PATCH', `/users/${uid}`, { verifiedEmail: email });
    await adminAuth().updateUser(uid, { email: `later-${email}`, emailVerified: true });
    expect((await ask(operator, 'DELETE', `/users/${uid}`)).status).toBe(204);
    const { size } = await adminFirestore().collection('auditLog').where('details.email', '==', email).get();
    expect(size).toBe(0);
  });

  test('loses all its sessions', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const response = await ask(operator, 'POST', `/users/${person.uid}/end-sessions`);
    expect(await done(operator, response)).toMatchObject([
      { action: 'admin.sessions_ended', target: person.uid },
    ]);
    expect((await session(person)).status).toBe(401);
    await nextSecond();
    expect((await session(await signIn(person))).status).toBe(200);
  });

  test('is exported, and the export is in the audit log', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const body = await bodyOf(await ask(operator, 'GET', `/users/${person.uid}/export`));
    expect(body).toMatchObject({ account: { uid: person.uid }, incomplete: [] });
    expect(await entriesBy(operator.uid)).toMatchObject([{ action: 'admin.user_exported' }]);
  });

  test('is deleted, with a pseudonym in the audit log', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    await session(person);
    const entries = await done(operator, await ask(operator, 'DELETE', `/users/${person.uid}`));
    expect(entries).toMatchObject([{ action: 'admin.user_deleted' }]);
    expect(entries[0]?.target).toMatch(/^deleted:/);
    await expect(adminAuth().getUser(person.uid)).rejects.toThrow();
    expect((await adminFirestore().doc(`users/${person.uid}`).get()).exists).toBe(false);
  });

  test('is not deleted while it is the last owner of a team', async () => {
    const operator = await signUpOperator();
    const { owner } = await castOf(app.url);
    const response = await ask(operator, 'DELETE', `/users/${owner.uid}`);
    expect(await errorOf(response)).toMatchObject({ status: 409, code: 'last_owner' });
    expect(await entriesBy(operator.uid)).toEqual([]);
  });
});

describe('a team', () => {
  test('gets another owner, who may be a member; the former one becomes an admin', async () => {
    const operator = await signUpOperator();
    const { teamId, owner, member } = await castOf(app.url);
    const response = await ask(operator, 'POST', `/teams/${teamId}/owner`, { uid: member.uid });
    expect(await done(operator, response)).toMatchObject([
      { action: 'admin.owner_changed', target: member.uid, teamId, details: { from: owner.uid } },
    ]);
    const roles = new Map((await membersOf(teamId)).map(({ uid, role }) => [uid, role]));
    expect([roles.get(member.uid), roles.get(owner.uid)]).toEqual(['owner', 'admin']);
    expect((await adminFirestore().doc(`teams/${teamId}`).get()).get('ownerId')).toBe(member.uid);
  });

  test('does not get an owner from outside', async () => {
    const operator = await signUpOperator();
    const { teamId, outsider } = await castOf(app.url);
    const response = await ask(operator, 'POST', `/teams/${teamId}/owner`, { uid: outsider.uid });
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'member_not_found' });
  });

  test('gets a plan until a date, and loses it again', async () => {
    const operator = await signUpOperator();
    const { teamId } = await castOf(app.url);
    const path = `/customers/${teamId}/plan`;
    const given = await done(operator, await ask(operator, 'POST', path, { plan: 'pro', until: UNTIL }));
    expect(given).toMatchObject([
      { action: 'admin.plan_given', target: teamId, teamId, details: { plan: 'pro', until: UNTIL } },
    ]);
    expect(await bodyOf(await ask(operator, 'GET', `/teams/${teamId}`))).toMatchObject({
      team: { plan: 'pro' },
      comp: { plan: 'pro', until: UNTIL },
    });
    const taken = await done(operator, await ask(operator, 'DELETE', path));
    expect(taken.at(-1)).toMatchObject({ action: 'admin.plan_taken', teamId });
    expect(await bodyOf(await ask(operator, 'GET', `/teams/${teamId}`))).toMatchObject({
      team: { plan: 'free' },
      comp: null,
    });
    const again = await ask(operator, 'DELETE', path);
    expect(await errorOf(again)).toMatchObject({ status: 404, code: 'comp_not_found' });
  });

  test('is deleted by the operator, after its subscription was mentioned', async () => {
    const operator = await signUpOperator();
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    const refused = await ask(operator, 'DELETE', `/teams/${teamId}`);
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'subscription_running' });
    const response = await ask(operator, 'DELETE', `/teams/${teamId}?endSubscription=true`);
    expect(response.status).toBe(204);
    expect((await auditLogOf(teamId)).at(-1)).toMatchObject({
      action: 'team.deleted',
      actorId: operator.uid,
    });
  });
});

test('a plan of a user is given with its claims, and to nobody else', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
  const give = (id: string) => ask(operator, 'POST', `/customers/${id}/plan`, { plan: 'pro', until: UNTIL });
  await done(operator, await give(person.uid));
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  expect(await errorOf(await give('nobody'))).toMatchObject({ status: 404, code: 'user_not_found' });
});

describe('an invitation', () => {
  test('is mailed again in the name of its sender', async () => {
    const operator = await signUpOperator();
    const { teamId, admin } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    const { id, email } = await inviteTo(app.url, admin, teamId, `${crypto.randomUUID()}@example.com`);
    const entries = await done(operator, await ask(operator, 'POST', `/invitations/${id}/resend`));
    expect(entries).toMatchObject([{ action: 'admin.invitation_resent', target: id, teamId }]);
    expect(await mailTo(email)).toHaveLength(2);
    const { invitation } = await bodyOf(await ask(operator, 'GET', `/invitations/${id}`));
    expect(invitation).toMatchObject({ invitedBy: admin.uid });
    expect(invitation).not.toHaveProperty('secretHash');
  });

  test('is mailed in the name of the owner if its sender has left', async () => {
    const operator = await signUpOperator();
    const { teamId, owner } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    const { id } = await inviteTo(app.url, owner, teamId, `${crypto.randomUUID()}@example.com`);
    await adminFirestore().doc(`invitations/${id}`).update({ invitedBy: 'gone' });
    await done(operator, await ask(operator, 'POST', `/invitations/${id}/resend`));
    expect((await adminFirestore().doc(`invitations/${id}`).get()).get('invitedBy')).toBe(owner.uid);
  });

  test('without an address is not mailed', async () => {
    const operator = await signUpOperator();
    const { teamId, owner } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    const path = `${app.url}/api/auth/teams/${teamId}/invitations/link`;
    const made = await call('POST', path, { headers: owner.bearer, json: { role: 'member' } });
    const { id } = (await made.json()) as { id: string };
    const refused = await ask(operator, 'POST', `/invitations/${id}/resend`);
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'invitation_is_link' });
  });
});

test('a subscription is shown as Stripe has it, and synced', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  const copy = adminFirestore().doc(`customers/${person.uid}/subscriptions/${id}`);
  await copy.delete();
  expect(await bodyOf(await ask(operator, 'GET', `/subscriptions/${id}`))).toEqual({
    id,
    customerId: person.uid,
    status: 'active',
    copy: null,
  });
  const entries = await done(operator, await ask(operator, 'POST', `/subscriptions/${id}/sync`));
  expect(entries).toMatchObject([{ action: 'admin.subscription_synced', target: id }]);
  expect((await copy.get()).get('status')).toBe('active');
  const unknown = await ask(operator, 'GET', '/subscriptions/sub_unknown');
  expect(await errorOf(unknown)).toMatchObject({ status: 404, code: 'subscription_not_found' });
});

test('an upload of a user is shown and removed', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
  const sent = await call('POST', `${app.url}/api/upload`, {
    headers: person.bearer,
    body: formWith(png(), 'a.png'),
  });
  const id = sent.headers.get('X-Upload-Id') ?? '';
  expect(await bodyOf(await ask(operator, 'GET', `/uploads/${id}`))).toMatchObject({
    upload: { ownerId: person.uid },
  });
  const entries = await done(operator, await ask(operator, 'DELETE', `/uploads/${id}`));
  expect(entries).toMatchObject([{ action: 'admin.upload_removed', target: id, teamId: '' }]);
  expect((await adminFirestore().doc(`uploads/${id}`).get()).exists).toBe(false);
});
