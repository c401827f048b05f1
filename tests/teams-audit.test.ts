import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { checkout, pay, settled, stripeOf, subscriptionOf } from './support/billing.ts';
import { formWith, png } from './support/files.ts';
import { signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { addMember, auditLogOf, castOf, createTeam, inviteTo, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, person: Person, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/teams/${path}`, { headers: person.bearer, json });

test('has actor, action and target, latest first, page by page', async () => {
  const teamId = await createTeam(app.url, owner, 'Before');
  await setSeatLimit(teamId, 10);
  const [guest, member] = await Promise.all([signUp(), signUp()]);
  await addMember(teamId, member, 'member');
  await ask('PATCH', owner, teamId, { name: 'After' });
  const first = await inviteTo(app.url, owner, teamId, guest.email, 'member');
  const second = await inviteTo(app.url, owner, teamId, guest.email, 'admin');
  await ask('POST', owner, `${teamId}/invitations/${second.id}/resend`);
  await visit(`${app.url}/api/team/accept-invitation?invitationId=${second.id}`, guest.bearer);
  await ask('PATCH', guest, `${teamId}/members/${member.uid}`, { role: 'admin' });
  await ask('DELETE', guest, `${teamId}/members/${member.uid}`);
  const offer = () => ask('POST', owner, `${teamId}/transfer`, { uid: guest.uid });
  await offer();
  await ask('DELETE', owner, `${teamId}/transfer`);
  await offer();
  await ask('POST', guest, `${teamId}/transfer/decline`);
  await offer();
  await ask('POST', guest, `${teamId}/transfer/accept`);

  interface Entries {
    entries: { id: string; actorId: string; action: string; target: string; at: string; details: unknown }[];
    nextCursor: string | null;
  }
  const entries: Entries['entries'] = [];
  let query = '?limit=4';
  for (;;) {
    const page = (await (await ask('GET', guest, `${teamId}/audit${query}`)).json()) as Entries;
    entries.push(...page.entries);
    if (page.nextCursor === null) break;
    query = `?limit=4&cursor=${page.nextCursor}`;
  }

  const told = entries.map(({ actorId, action, target, details }) => [actorId, action, target, details]);
  const { email } = guest;
  const expected = [
    [owner.uid, 'team.created', teamId, { name: 'Before', slug: expect.any(String) as string }],
    [owner.uid, 'team.updated', teamId, { name: 'After' }],
    [owner.uid, 'invitation.created', first.id, { email, role: 'member' }],
    [owner.uid, 'invitation.cancelled', first.id, { email, role: 'member', replacedBy: second.id }],
    [owner.uid, 'invitation.created', second.id, { email, role: 'admin' }],
    [owner.uid, 'invitation.resent', second.id, { email, role: 'admin' }],
    [guest.uid, 'invitation.accepted', second.id, { email, role: 'admin' }],
    [guest.uid, 'member.role_changed', member.uid, { from: 'member', to: 'admin' }],
    [guest.uid, 'member.removed', member.uid, { role: 'admin', email: member.email }],
    [owner.uid, 'team.transfer_offered', guest.uid, {}],
    [owner.uid, 'team.transfer_withdrawn', guest.uid, {}],
    [owner.uid, 'team.transfer_offered', guest.uid, {}],
    [guest.uid, 'team.transfer_declined', guest.uid, {}],
    [owner.uid, 'team.transfer_offered', guest.uid, {}],
    [guest.uid, 'team.transferred', guest.uid, { from: 'admin', offeredBy: owner.uid }],
  ];
  // Cancelling and creating in its place happen at the same moment, in either order.
  expect(told).toHaveLength(expected.length);
  expect(told).toEqual(expect.arrayContaining(expected));
  expect(told[0]).toEqual(expected.at(-1));
  expect(told.at(-1)).toEqual(expected[0]);
  const times = entries.map(({ at }) => at);
  expect(times).toEqual([...times].sort().reverse());
});

test('records nothing that was refused', async () => {
  const teamId = await createTeam(app.url, owner);
  const before = await auditLogOf(teamId);
  const stranger = await signUp();
  await ask('PATCH', stranger, teamId, { name: 'Mine' });
  await ask('DELETE', owner, `${teamId}/members/${owner.uid}`);
  await ask('POST', owner, `${teamId}/invitations`, { email: owner.email, role: 'member' });
  expect(await auditLogOf(teamId)).toEqual(before);
});

describe('billing and files of a team', () => {
  /** Actor, action, target and details of the entries on billing and files, in the order of their commits. */
  async function recordedIn(teamId: string): Promise<unknown[]> {
    const entries = (await auditLogOf(teamId)).filter(({ action }) => /^(?:billing|upload)/.test(action));
    return entries.map(({ actorId, action, target, details }) => [actorId, action, target, details]);
  }

  test('are in the audit log: a checkout once, the portal each time, a change of the plan once', async () => {
    const { teamId, admin } = await castOf(app.url);
    const page = await checkout(app, admin, `pro?team=${teamId}`);
    await checkout(app, admin, `pro?team=${teamId}`);
    await pay(app, locationOf(page));
    await visit(`${app.url}/api/auth/portal?team=${teamId}`, admin.bearer);
    // A running subscription leads to the portal.
    await checkout(app, admin, `pro?team=${teamId}`);
    const subscription = await subscriptionOf(app, teamId);
    await stripeOf(app).subscriptions.update(subscription.id, { metadata: { any: 'change' } });
    await settled(app);
    await stripeOf(app).subscriptions.cancel(subscription.id);
    await settled(app);
    expect(await recordedIn(teamId)).toEqual([
      [admin.uid, 'billing.checkout_begun', teamId, { plan: 'pro', quantity: '1' }],
      ['system', 'billing.plan_changed', teamId, { from: 'free', to: 'pro' }],
      [admin.uid, 'billing.portal_opened', teamId, {}],
      [admin.uid, 'billing.portal_opened', teamId, {}],
      ['system', 'billing.plan_changed', teamId, { from: 'pro', to: 'free' }],
    ]);
  });

  test("have one entry for a file that two members remove at the same time, and none for a person's own file", async () => {
    const { teamId, admin, owner, member } = await castOf(app.url);
    const upload = async (query: string) => {
      const body = formWith(png(), 'me.png');
      const headers = member.bearer;
      const sent = await call('POST', `${app.url}/api/upload${query}`, { headers, body });
      return sent.headers.get('X-Upload-Id') ?? '';
    };
    const remove = (id: string, { bearer }: Person) =>
      call('DELETE', `${app.url}/api/uploads/${id}`, { headers: bearer });
    const revoke = (id: string, { bearer }: Person) =>
      call('POST', `${app.url}/api/uploads/${id}/revoke`, { headers: bearer });
    const [id, own] = [await upload(`?team=${teamId}`), await upload('')];
    expect([(await revoke(id, member)).status, (await revoke(own, member)).status]).toEqual([200, 200]);
    await Promise.all([remove(id, admin), remove(id, owner), remove(own, member)]);
    const remover = expect.stringMatching(`^(?:${admin.uid}|${owner.uid})$`) as string;
    expect(await recordedIn(teamId)).toEqual([
      [member.uid, 'upload.url_revoked', id, { contentType: 'image/png' }],
      [remover, 'upload.removed', id, { contentType: 'image/png' }],
    ]);
    expect(await recordedIn(member.uid)).toEqual([]);
  });
});
