import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncSeats } from '../functions/src/billing/subscriptions/sync/seats.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  checkout,
  claimsOf,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';
import { addCrowd, addMember, castOf, createTeam, inviteTo } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (person: Person, method: string, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

const teamDocument = async (teamId: string) =>
  (await adminFirestore().doc(`teams/${teamId}`).get()).data() ?? {};

const seatsAtStripe = async (teamId: string) =>
  (await subscriptionOf(app, teamId)).items.data.map(({ quantity }) => quantity);

async function join(owner: Person, teamId: string, person: Person): Promise<void> {
  const { id } = await inviteTo(app.url, owner, teamId, person.email);
  const answer = await visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, person.bearer);
  expect(answer.status).toBe(303);
}

/** Counts the updates of subscriptions that the app has sent to Stripe since the last call. */
async function stripeUpdates(): Promise<number> {
  const log = (await (await call('GET', `${app.stripe.url}/_emulator/requests`)).json()) as {
    counts: Record<string, number>;
  };
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  return log.counts['POST /v1/subscriptions/:id'] ?? 0;
}

describe('buying for a team and managing its billing', () => {
  test.each<[who: 'owner' | 'admin' | 'member' | 'outsider', status: number, code?: string]>([
    ['owner', 303],
    ['admin', 303],
    ['member', 403, 'forbidden'],
    ['outsider', 404, 'team_not_found'],
  ])('the %s gets %s', async (who, status, code) => {
    const cast = await castOf(app.url);
    for (const path of [`checkout/pro?team=${cast.teamId}`, `portal?team=${cast.teamId}`]) {
      const response = await ask(cast[who], 'GET', path);
      expect(response.status).toBe(status);
      if (code !== undefined) expect(await errorOf(response)).toMatchObject({ code });
    }
    const customer = await adminFirestore().doc(`customers/${cast.teamId}`).get();
    expect(customer.exists).toBe(status === 303);
  });

  test('a team that is being deleted cannot buy', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince: new Date() });
    expect((await ask(owner, 'GET', `checkout/pro?team=${teamId}`)).status).toBe(404);
  });

  test.each(['?team=a/b', '?team=', '?team=a&team=b', '?interval=week'])(
    'a checkout with %s is refused',
    async (query) => {
      const response = await ask(await signUp(), 'GET', `checkout/pro${query}`);
      expect(await errorOf(response)).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );
});

test('team and owner are separate customers, and neither gets the plan of the other', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  expect(await teamDocument(teamId)).toMatchObject({
    plan: 'pro',
    seatLimit: 10,
    hasRunningSubscription: true,
  });
  expect(await claimsOf(owner)).toEqual({});
  expect((await (await ask(owner, 'GET', 'session')).json()) as object).toMatchObject({ plan: 'free' });
  await buy(app, owner, 'business');
  expect(await claimsOf(owner)).toEqual({ plan: 'business', stripeRole: 'business' });
  expect(await teamDocument(teamId)).toMatchObject({ plan: 'pro', seatLimit: 10 });
});

test('the hosted pages return to the app with the team', async () => {
  const { teamId, admin } = await castOf(app.url);
  const answer = await pay(app, locationOf(await checkout(app, admin, `pro?team=${teamId}`)));
  const back = locationOf(answer);
  const last = await visit(app.url + back.pathname + back.search, admin.bearer);
  expect(last.headers.get('location')).toBe(`/billing/success?team=${teamId}`);
  const { data } = await stripeOf(app).checkout.sessions.list({ limit: 1 });
  expect(data[0]?.cancel_url).toBe(`${APP_URL}/billing?checkout=cancelled&team=${teamId}`);
});

test('the team is on the free plan after its subscription ended: members stay, nobody can be added', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  await addCrowd(teamId, 3);
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, teamId)).id);
  await settled(app);
  expect(await teamDocument(teamId)).toMatchObject({
    plan: 'free',
    seatLimit: 3,
    hasRunningSubscription: false,
  });
  const members = await ask(owner, 'GET', `teams/${teamId}/members`);
  expect(((await members.json()) as { members: object[] }).members).toHaveLength(6);
  const json = { email: 'one-more@example.com', role: 'member' };
  const refused = await ask(owner, 'POST', `teams/${teamId}/invitations`, json);
  expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'no_seat' });
});

describe('a plan that is billed for each member', () => {
  test('is bought for the current number of members', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    expect(await seatsAtStripe(teamId)).toEqual([3]);
    expect(await teamDocument(teamId)).toMatchObject({ plan: 'business', billingDependsOnMembers: true });
  });

  test('costs a user one seat, and a plan with a flat price costs a team its price', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await buy(app, owner, 'business');
    expect([await seatsAtStripe(teamId), await seatsAtStripe(owner.uid)]).toEqual([[1], [1]]);
    expect(await teamDocument(teamId)).toMatchObject({ billingDependsOnMembers: false });
  });

  test('is billed for a member who joined while the checkout was open', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    const page = locationOf(await checkout(app, owner, `business?team=${teamId}`));
    await addMember(teamId, outsider, 'member');
    await pay(app, page);
    expect(await seatsAtStripe(teamId)).toEqual([4]);
  });

  test('starts a new checkout if the number of members differs from the open one', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await checkout(app, owner, `business?team=${teamId}`);
    await addMember(teamId, outsider, 'member');
    await checkout(app, owner, `business?team=${teamId}`);
    const customer = (await adminFirestore().doc(`customers/${teamId}`).get()).get('stripeId') as string;
    const { data } = await stripeOf(app).checkout.sessions.list({ customer });
    expect(data.map(({ status }) => status).sort()).toEqual(['expired', 'open']);
  });

  test('is updated when members join, leave, are removed or delete their account', async () => {
    const { teamId, owner, admin, member, outsider } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    const seatsAfter = async (act: () => Promise<unknown>): Promise<unknown> => {
      await act();
      await settled(app);
      const [copy] = await subscriptionCopiesOf(teamId);
      expect([copy?.quantity]).toEqual(await seatsAtStripe(teamId));
      return copy?.quantity;
    };
    expect(await seatsAfter(() => join(owner, teamId, outsider))).toBe(4);
    expect(await seatsAfter(() => ask(member, 'DELETE', `teams/${teamId}/members/${member.uid}`))).toBe(3);
    expect(await seatsAfter(() => ask(owner, 'DELETE', `teams/${teamId}/members/${outsider.uid}`))).toBe(2);
    expect(await seatsAfter(() => ask(admin, 'DELETE', 'user'))).toBe(1);
  });

  test('updates Stripe once at most for each change, however many tasks run at the same time', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    const people = await Promise.all(Array.from({ length: 6 }, () => signUp()));
    await stripeUpdates();
    await Promise.all(people.map((person) => join(owner, teamId, person)));
    await Promise.all([
      ...people.slice(0, 3).map(({ uid }) => ask(owner, 'DELETE', `teams/${teamId}/members/${uid}`)),
      ...Array.from({ length: 5 }, () => app.backend.enqueueSeatSync(teamId)),
    ]);
    await settled(app);
    expect(await seatsAtStripe(teamId)).toEqual([6]);
    expect(await stripeUpdates()).toBeLessThanOrEqual(9);
    await app.backend.enqueueSeatSync(teamId);
    await settled(app);
    expect(await stripeUpdates()).toBe(0);
  });

  test('is updated by the queue after Stripe was down', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/subscriptions/:id', times: 4, status: 500 },
    });
    await join(owner, teamId, outsider);
    await settled(app);
    expect(await seatsAtStripe(teamId)).toEqual([4]);
  });

  test('is paid once after a change to a plan with a flat price', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    const { id, items } = await subscriptionOf(app, teamId);
    const item = { id: items.data[0]?.id ?? '', price: 'price_hearth_pro_month' };
    await stripeOf(app).subscriptions.update(id, { items: [item] });
    await settled(app);
    expect(await seatsAtStripe(teamId)).toEqual([1]);
    expect(await teamDocument(teamId)).toMatchObject({
      plan: 'pro',
      seatLimit: 10,
      billingDependsOnMembers: false,
    });
  });

  test("is updated once, although Stripe's answer was lost", async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    const { id } = await subscriptionOf(app, teamId);
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: `/v1/subscriptions/${id}`, times: 1, status: 500, when: 'after' },
    });
    await join(owner, teamId, outsider);
    await settled(app);
    expect(await seatsAtStripe(teamId)).toEqual([4]);
    const { data } = await stripeOf(app).events.list({ type: 'customer.subscription.updated' });
    const ofTeam = data.filter((event) => (event.data.object as { id?: string }).id === id);
    expect(
      ofTeam.filter(({ data: { previous_attributes: before } }) => 'items' in (before ?? {})),
    ).toHaveLength(1);
  });

  test('waits no longer for a dead task than its lease', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    await addMember(teamId, outsider, 'member');
    const died = { key: 'of the dead', until: new Date(Date.now() + 3_600_000) };
    await adminFirestore().doc(`customers/${teamId}`).update({ lineItemsLease: died });
    await expect(syncSeats(app.backend, teamId)).rejects.toMatchObject({ status: 503 });
    const afterwards = { ...app.backend, now: () => new Date(Date.now() + 3_601_000) };
    await syncSeats(afterwards, teamId);
    expect(await seatsAtStripe(teamId)).toEqual([4]);
  });

  test('gets its quantity back when somebody else changes it', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    const { id, items } = await subscriptionOf(app, teamId);
    await stripeOf(app).subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', quantity: 50 }] });
    await settled(app);
    expect(await seatsAtStripe(teamId)).toEqual([3]);
  });
});

test('joining and leaving a team without such a plan enqueues nothing', async () => {
  const { teamId, owner, member, outsider } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  app.seatQueue.enqueued.length = 0;
  await join(owner, teamId, outsider);
  await ask(member, 'DELETE', `teams/${teamId}/members/${member.uid}`);
  expect(app.seatQueue.enqueued).toEqual([]);
});

test('a new member stays in the team, even when the queue fails', async () => {
  const broken = await serveApp({ backend: { enqueueSeatSync: () => Promise.reject(new Error('down')) } });
  const { teamId, owner, outsider } = await castOf(app.url);
  await adminFirestore().doc(`teams/${teamId}`).update({ billingDependsOnMembers: true, seatLimit: 10 });
  const { id } = await inviteTo(broken.url, owner, teamId, outsider.email);
  const path = `/api/team/accept-invitation?invitationId=${id}`;
  expect((await visit(broken.url + path, outsider.bearer)).status).toBe(303);
  await broken[Symbol.asyncDispose]();
});

describe('GET /api/auth/checkout/return', () => {
  const comeBack = (person: Person, sessionId: string) =>
    ask(person, 'GET', `checkout/return?session_id=${sessionId}`);

  async function sessionOf(customerId: string): Promise<string> {
    const customer = (await adminFirestore().doc(`customers/${customerId}`).get()).get('stripeId') as string;
    const { data } = await stripeOf(app).checkout.sessions.list({ customer, limit: 1 });
    return data[0]?.id ?? '';
  }

  test('gives the plan before the webhook arrives', async () => {
    const withoutWebhooks = await serveApp({ webhooks: false });
    const person = await signUp();
    await pay(withoutWebhooks, locationOf(await checkout(withoutWebhooks, person, 'pro')));
    expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
    const { data } = await stripeOf(withoutWebhooks).checkout.sessions.list({ limit: 1 });
    const back = await visit(
      `${withoutWebhooks.url}/api/auth/checkout/return?session_id=${data[0]?.id ?? ''}`,
      person.bearer,
    );
    expect([back.status, back.headers.get('location')]).toEqual([303, '/billing/success']);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
    await withoutWebhooks[Symbol.asyncDispose]();
  });

  test('redirects to the page for cancelled checkouts while nothing is paid', async () => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    const back = await comeBack(person, await sessionOf(person.uid));
    expect(back.headers.get('location')).toBe('/billing?checkout=cancelled');
  });

  test('is allowed only for the payer, or for members who manage the billing of the team', async () => {
    const { teamId, owner, admin, member, outsider } = await castOf(app.url);
    await buy(app, owner, 'pro');
    await buy(app, owner, `pro?team=${teamId}`);
    const [own, ofTeam] = [await sessionOf(owner.uid), await sessionOf(teamId)];
    const statusOf = async (person: Person, id: string) => (await comeBack(person, id)).status;
    expect([await statusOf(owner, own), await statusOf(admin, own)]).toEqual([303, 404]);
    const answers = [owner, admin, member, outsider].map((person) => statusOf(person, ofTeam));
    expect(await Promise.all(answers)).toEqual([303, 303, 403, 404]);
  });

  test.each([
    ['cs_test_nobody', 404, 'checkout_not_found'],
    ['sub_1', 400, 'invalid_request'],
    ['cs_1/../../customers', 400, 'invalid_request'],
    ['', 400, 'invalid_request'],
  ])('answers %j with %s', async (id, status, code) => {
    expect(await errorOf(await comeBack(await signUp(), id))).toMatchObject({ status, code });
  });

  test('shows a page while Stripe is down, and works when it is opened again', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const path = `${app.url}/api/auth/checkout/return?session_id=${await sessionOf(person.uid)}`;
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'GET', path: '/v1/checkout/sessions/:id', times: 3, status: 500 },
    });
    const down = await visit(path, person.bearer);
    expect([down.status, down.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect((await visit(path, person.bearer)).status).toBe(303);
  });
});

test('a checkout of a team that was deleted in the meantime cannot be paid', async () => {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  const page = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
  expect((await ask(owner, 'DELETE', `teams/${teamId}`)).status).toBe(204);
  expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(410);
  expect((await adminFirestore().doc(`customers/${teamId}`).get()).exists).toBe(false);
});

test('claims of others stay, whatever happens to the plan', async () => {
  const person = await signUp();
  await adminAuth().setCustomUserClaims(person.uid, { support: true });
  await buy(app, person, 'pro');
  expect(await claimsOf(person)).toEqual({ support: true, plan: 'pro', stripeRole: 'pro' });
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
  await settled(app);
  expect(await claimsOf(person)).toEqual({ support: true });
});
