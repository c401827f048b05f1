import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHearthClient } from '../../client/src/index.ts';
import { makeReturnProof } from '../../functions/src/billing/checkout/redirects/return-proof.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  checkout,
  claimsOf,
  subscriptionCopiesOf,
  pay,
  returnLinkOf,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { APP_URL } from '../support/config.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, errorOf, visit } from '../support/requests.ts';
import { addMember, castOf, createTeam } from '../support/teams.ts';

/** Clients that send ID tokens and have no session cookie, such as an app on a phone. No webhook arrives. */
let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({
    webhooks: false,
    config: { returnUrls: ['myapp://paid', 'https://shop.example.com'] },
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const billingOf = ({ idToken }: Person) =>
  createHearthClient({ baseUrl: app.url, idToken: () => Promise.resolve(idToken) }).billing;

const post = (person: Person, path: string, json: object) =>
  call('POST', `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

/** Opens a URL of the app in a browser where nobody is signed in. */
const open = (address: string) => visit(address.replace(APP_URL, app.url));

const locationOf = (response: Response) => {
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
};

test('a client buys a plan, and is back in the app with the plan', async () => {
  const person = await signUp();
  const page = await billingOf(person).checkout('pro', { returnUrl: 'myapp://paid?screen=plan' });
  const back = await pay(app, new URL(page));
  expect(await claimsOf(person)).toEqual({});
  expect(locationOf(await open(locationOf(back)))).toBe('myapp://paid?screen=plan&checkout=success');
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});

test('an address that the user verifies later is removed from the team that they leave', async () => {
  const ada = await signUp({ emailVerified: false });
  const teamId = await createTeam(app.url, ada);
  await adminAuth().updateUser(ada.uid, { emailVerified: true });
  const send = (method: string, path: string, json?: object) =>
    call(method, `${app.url}/api/auth/${path}`, { headers: ada.bearer, json });
  expect((await send('PATCH', `teams/${teamId}`, { billingEmail: ada.email })).status).toBe(200);
  await addMember(teamId, await signUp(), 'owner');
  // The membership of a user who has made no request since the address was verified.
  await adminFirestore().doc(`teams/${teamId}/members/${ada.uid}`).update({ email: null });
  expect((await send('DELETE', `teams/${teamId}/members/${ada.uid}`)).status).toBe(204);
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).data()).not.toHaveProperty('billingEmail');
});

test('the session of a client shows a changed address, and copies it to the profile and the memberships', async () => {
  const ada = await signUp({ emailVerified: false });
  const teamId = await createTeam(app.url, ada);
  const emailOf = async (path: string) => (await adminFirestore().doc(path).get()).get('email') as unknown;
  const read = () => call('GET', `${app.url}/api/auth/session`, { headers: ada.bearer });
  expect((await read()).status).toBe(200);
  expect(await emailOf(`teams/${teamId}/members/${ada.uid}`)).toBeNull();

  await adminAuth().updateUser(ada.uid, { emailVerified: true });
  expect((await read()).status).toBe(200);
  expect(await emailOf(`teams/${teamId}/members/${ada.uid}`)).toBe(ada.email);
  const profile = await adminFirestore().doc(`users/${ada.uid}`).get();
  expect(profile.data()).toMatchObject({ email: ada.email, emailVerified: true });
});

test('the billing address that a member sets stores their verified address in the membership', async () => {
  const ada = await signUp({ emailVerified: false });
  const teamId = await createTeam(app.url, ada);
  await adminAuth().updateUser(ada.uid, { emailVerified: true });
  const { bearer: headers } = ada;
  const json = { billingEmail: ada.email };
  expect((await call('PATCH', `${app.url}/api/auth/teams/${teamId}`, { headers, json })).status).toBe(200);
  const member = await adminFirestore().doc(`teams/${teamId}/members/${ada.uid}`).get();
  expect(member.get('email')).toBe(ada.email);
});

test('a client buys for a team by the year, and returns to its own origin', async () => {
  const { teamId, admin } = await castOf(app.url);
  const options = { team: teamId, interval: 'year', returnUrl: 'https://shop.example.com/#/plan' } as const;
  const back = await pay(app, new URL(await billingOf(admin).checkout('pro', options)));
  expect(locationOf(await open(locationOf(back)))).toBe('https://shop.example.com/?checkout=success#/plan');
  const { items } = await subscriptionOf(app, teamId);
  expect(items.data[0]?.price.lookup_key).toBe('hearth_pro_yearly');
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).get('plan')).toBe('pro');
});

test('a client that cancels, or comes back before it has paid, learns so', async () => {
  const person = await signUp();
  await billingOf(person).checkout('pro', { returnUrl: 'myapp://paid' });
  const customer = (await adminFirestore().doc(`customers/${person.uid}`).get()).get('stripeId') as string;
  const [session] = (await stripeOf(app).checkout.sessions.list({ customer })).data;
  expect(locationOf(await open(session?.cancel_url ?? ''))).toBe('myapp://paid?checkout=cancelled');
  const success = session?.success_url?.replace('{CHECKOUT_SESSION_ID}', session.id) ?? '';
  expect(locationOf(await open(success))).toBe('myapp://paid?checkout=pending');
  expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
});

test('without a return URL the pages of the app are shown', async () => {
  const person = await signUp();
  const back = await pay(app, new URL(await billingOf(person).checkout('pro')));
  expect(locationOf(await open(locationOf(back)))).toBe('/billing/success');
  expect(locationOf(await visit(`${app.url}/api/auth/return`))).toBe('/billing?checkout=cancelled');
});

describe('a client that comes back from the portal', () => {
  test('has the plan that was chosen there', async () => {
    const person = await signUp();
    const bought = await pay(app, new URL(await billingOf(person).checkout('pro')));
    await open(locationOf(bought));
    const portal = await billingOf(person).portal({ returnUrl: 'myapp://paid' });
    const { id } = await subscriptionOf(app, person.uid);
    await stripeOf(app).subscriptions.cancel(id);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    const link = returnLinkOf(await (await fetch(portal)).text()) ?? '';
    expect(locationOf(await open(link))).toBe('myapp://paid?portal=done');
    expect(await claimsOf(person)).toEqual({});
  });

  test('has it as well after the portal was opened by a link', async () => {
    const person = await signUp();
    const bought = await pay(app, new URL(await billingOf(person).checkout('pro')));
    await open(locationOf(bought));
    const portal = locationOf(await visit(`${app.url}/api/auth/portal`, person.bearer));
    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
    const link = returnLinkOf(await (await fetch(portal)).text()) ?? '';
    expect(locationOf(await open(link))).toBe('/billing');
    expect(await claimsOf(person)).toEqual({});
  });

  test('is refused without the proof, and nothing is synced', async () => {
    const person = await signUp();
    const [mine, other] = [await billingOf(person).portal(), await billingOf(await signUp()).portal()];
    const linkOf = async (page: string) => new URL(returnLinkOf(await (await fetch(page)).text()) ?? '');
    const [link, foreign] = [await linkOf(mine), await linkOf(other)];
    for (const proof of ['', 'x', foreign.searchParams.get('proof') ?? '']) {
      link.searchParams.set('proof', proof);
      expect((await open(link.href)).status).toBe(404);
    }
  });
});

describe('a return URL that is not allowed', () => {
  test.each(['checkout', 'portal'])('is refused by POST /api/auth/%s', async (path) => {
    const person = await signUp();
    const body = path === 'checkout' ? { plan: 'pro' } : {};
    const answer = await post(person, path, { ...body, returnUrl: 'https://shop.example.com.evil.com/' });
    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'return_url_not_allowed' });
    expect((await adminFirestore().doc(`customers/${person.uid}`).get()).exists).toBe(false);
  });

  test('is ignored by the routes that redirect', async () => {
    const evil = encodeURIComponent('https://evil.com/');
    expect(locationOf(await visit(`${app.url}/api/auth/return?to=${evil}`))).toBe(
      '/billing?checkout=cancelled',
    );
    const link = returnLinkOf(await (await fetch(await billingOf(await signUp()).portal())).text()) ?? '';
    expect(locationOf(await open(`${link}&to=${evil}`))).toBe('/billing');
  });
});

test('an unknown checkout is 404, and the page shows no data', async () => {
  const proven = await makeReturnProof(app.backend, (await signUp()).uid);
  const query = new URLSearchParams({ ...proven, session_id: 'cs_unknown', to: 'myapp://paid' });
  const answer = await visit(`${app.url}/api/auth/return?${query.toString()}`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('There is no such checkout.');
});

test('a subscriber is sent to the portal, which leads back to the app', async () => {
  const person = await signUp();
  const bought = await pay(app, new URL(await billingOf(person).checkout('pro')));
  await open(locationOf(bought));
  const page = await billingOf(person).checkout('business', { returnUrl: 'myapp://paid' });
  const link = returnLinkOf(await (await fetch(page)).text()) ?? '';
  expect(locationOf(await open(link))).toBe('myapp://paid?portal=done');
});

describe('a return URL of 1,000 reserved characters', () => {
  const reserved = ':/?@$&+,;='.repeat(100);
  const returnUrl = `https://shop.example.com/?to=${reserved}`.slice(0, 1000);

  test('leads back from a checkout page', async () => {
    const person = await signUp();
    const back = await pay(app, new URL(await billingOf(person).checkout('pro', { returnUrl })));
    expect(locationOf(await open(locationOf(back)))).toBe(`${returnUrl}&checkout=success`);
  });

  test('leads a subscriber back who was sent to the portal', async () => {
    const person = await signUp();
    const bought = await pay(app, new URL(await billingOf(person).checkout('pro')));
    await open(locationOf(bought));
    const page = await billingOf(person).checkout('business', { returnUrl });
    const link = returnLinkOf(await (await fetch(page)).text()) ?? '';
    expect(locationOf(await open(link))).toBe(`${returnUrl}&portal=done`);
  });

  test('is refused if it has one more', async () => {
    const answer = await post(await signUp(), 'checkout', { plan: 'pro', returnUrl: `${returnUrl}x` });
    expect((await errorOf(answer)).status).toBe(400);
  });
});

test('a signed-out client, an anonymous one and a stranger to the team are refused', async () => {
  const { teamId, member } = await castOf(app.url);
  expect((await call('POST', `${app.url}/api/auth/checkout`, { json: { plan: 'pro' } })).status).toBe(401);
  expect(await errorOf(await post(member, 'checkout', { plan: 'pro', team: teamId }))).toMatchObject({
    code: 'forbidden',
  });
  expect(await errorOf(await post(await signUp(), 'portal', { team: teamId }))).toMatchObject({
    code: 'team_not_found',
  });
});

test('the links of the contract go on asking a signed-out browser to sign in', async () => {
  const answer = await visit(`${app.url}/api/auth/checkout/return?session_id=cs_1`);
  expect(locationOf(answer)).toContain('/auth/sign-in?callback=');
  const person = await signUp();
  expect(locationOf(await checkout(app, person, 'pro'))).toContain('/c/pay/');
});
