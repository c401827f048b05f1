import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import type { Costs } from '../functions/src/common/costs.ts';
import { loadHashFunction } from '../functions/src/personal-data/keyed-hash.ts';
import { ROOT } from '../scripts/paths.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { returnLinkOf, stripeOf } from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { createContract } from './support/contract.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { askForDevices } from './support/devices.ts';
import { EXTRAS } from './support/extras.ts';
import { formWith, png } from './support/files.ts';
import { listen } from './support/listen.ts';
import { signUpOperator } from './support/operators.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import { createTeam, inviteTo, mailedLinks, mailTo } from './support/teams.ts';

const PHONE_APPS = {
  iosAppIds: ['ABCDE12345.com.example.app'],
  androidPackages: ['com.example.app'],
  androidFingerprints: [Array(32).fill('AB').join(':')],
  storeTokenHash: createHash('sha256').update('store').digest('hex'),
};

let app: AppUnderTest;
let owner: Person;
let guest: Person;
let teamId: string;
let otherTeamId: string;
let acceptUrl: string;
let operator: Person | undefined;
let adminTeamId: string;
let adminInvitationId: string;
/** A Firestore of its own, because documents of other tests would change the costs of lists. */
let firestore: MeteredFirestore;
beforeAll(async () => {
  // Every look-up of a user asks Firebase Auth, so that the costs do not depend on the time of the requests.
  const config = { extras: EXTRAS, userCacheSeconds: 0, ...PHONE_APPS };
  firestore = await meterFirestore();
  app = await serveApp({ config, events: 'last' });
  // Otherwise the first request that needs the key of the project reads it or creates it.
  await loadHashFunction(app.backend.db, new Date());
  [owner, guest] = await Promise.all([signUp(), signUp()]);
  teamId = await createTeam(app.url, owner);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

const ask = (person: Person, method: string, path: string, json?: unknown) =>
  call(method, app.url + path, { headers: person.bearer, json });

const admin = async (method: string, path: string, json?: unknown) =>
  ask((operator ??= await signUpOperator()), method, `/api/admin${path}`, json);

/** The requests of an operator about the owner, and about people and teams of their own. */
const ADMIN: Readonly<Record<string, () => Promise<unknown>>> = {
  adminSearch: () => admin('GET', `/search?text=${owner.email}`),
  adminGetUser: () => admin('GET', `/users/${owner.uid}`),
  adminChangeUser: () => admin('PATCH', `/users/${owner.uid}`, { verifiedEmail: owner.email }),
  adminExportUser: async () => (await admin('GET', `/users/${owner.uid}/export`)).text(),
  adminImpersonate: () => admin('POST', `/users/${owner.uid}/impersonation`, { reason: 'support' }),
  adminGivePlan: () =>
    admin('POST', `/customers/${owner.uid}/plan`, { plan: 'pro', until: '2999-01-01T00:00:00Z' }),
  adminTakePlan: () => admin('DELETE', `/customers/${owner.uid}/plan`),
  adminGetInvitation: async () => {
    adminTeamId = await createTeam(app.url, owner, 'Supported');
    ({ id: adminInvitationId } = await inviteTo(app.url, owner, adminTeamId, 'new@example.com'));
    await admin('GET', `/invitations/${adminInvitationId}`);
  },
  adminFindInvitations: () => admin('GET', '/invitations?email=new@example.com'),
  adminResendInvitation: () => admin('POST', `/invitations/${adminInvitationId}/resend`),
  adminFindMail: () => admin('GET', `/mail?email=${owner.email}`),
  adminListMail: () => admin('GET', `/users/${owner.uid}/mail`),
  adminSendMail: () => admin('POST', `/users/${owner.uid}/mail`, { kind: 'password_reset' }),
  adminResendMail: async () => {
    const { docs } = await adminFirestore().collection('mail').where('to', '==', [owner.email]).get();
    await docs[0]?.ref.update({ 'delivery.state': 'ERROR' });
    await admin('POST', `/mail/${docs[0]?.id ?? ''}/resend`);
  },
  adminGetTeam: () => admin('GET', `/teams/${adminTeamId}`),
  adminChangeOwner: () => admin('POST', `/teams/${adminTeamId}/owner`, { uid: owner.uid }),
  adminDeleteTeam: () => admin('DELETE', `/teams/${adminTeamId}`),
  adminGetSubscription: async () => admin('GET', `/subscriptions/${await subscriptionId()}`),
  adminSyncSubscription: async () => admin('POST', `/subscriptions/${await subscriptionId()}/sync`),
  adminGetUpload: async () => admin('GET', `/uploads/${await sendUpload()}`),
  adminDeleteUpload: async () => admin('DELETE', `/uploads/${await sendUpload()}`),
  adminEndSessions: async () => admin('POST', `/users/${(await signUp()).uid}/end-sessions`),
  adminDeleteUser: async () => admin('DELETE', `/users/${(await signUp()).uid}`),
};

async function subscriptionId(): Promise<string> {
  const { data } = await stripeOf(app).subscriptions.list({ limit: 1 });
  return data[0]?.id ?? '';
}

async function sendUpload(): Promise<string> {
  const body = formWith(png(), 'a.png');
  const response = await call('POST', `${app.url}/api/upload`, { headers: owner.bearer, body });
  return response.headers.get('X-Upload-Id') ?? '';
}

/** One request or more for each operation, in this order; a new route gets its own here. */
const JOURNEY: Readonly<Record<string, () => Promise<unknown>>> = {
  getHealth: () => call('GET', `${app.url}/api/health`),
  getOpenApi: () => call('GET', `${app.url}/api/openapi.json`),
  getAppleAssociation: () => call('GET', `${app.url}/.well-known/apple-app-site-association`),
  getAndroidStatements: () => call('GET', `${app.url}/.well-known/assetlinks.json`),
  createSession: () =>
    call('POST', `${app.url}/api/auth/session`, {
      headers: { Origin: APP_URL },
      json: { idToken: owner.idToken },
    }),
  getSession: () => ask(owner, 'GET', '/api/auth/session'),
  changeUser: () => ask(owner, 'PATCH', '/api/auth/user', { displayName: 'Owner' }),
  sendVerification: () => ask(owner, 'POST', '/api/auth/verification-mail', {}),
  sendPasswordReset: () =>
    call('POST', `${app.url}/api/auth/password-reset`, { json: { email: owner.email } }),
  createTeam: async () => {
    otherTeamId = await createTeam(app.url, guest, 'Other');
  },
  listTeams: () => ask(owner, 'GET', '/api/auth/teams?limit=1'),
  getTeam: () => ask(owner, 'GET', `/api/auth/teams/${teamId}`),
  changeTeam: () => ask(owner, 'PATCH', `/api/auth/teams/${teamId}`, { name: 'Acme Two' }),
  invite: async () => {
    const invitations = `/api/auth/teams/${teamId}/invitations`;
    const one = { email: 'one@example.com', role: 'member' };
    await ask(owner, 'POST', invitations, one);
    await ask(owner, 'POST', invitations, one);
    await ask(owner, 'POST', invitations, { emails: [one.email, 'no address'], role: 'member' });
  },
  createInvitationLink: async () => {
    const team = await createTeam(app.url, owner);
    await ask(owner, 'POST', `/api/auth/teams/${team}/invitations/link`, { role: 'member' });
  },
  listInvitations: () => ask(owner, 'GET', `/api/auth/teams/${teamId}/invitations`),
  resendInvitation: async () => ask(owner, 'POST', `${await invitationPath()}/resend`),
  cancelInvitation: async () => ask(owner, 'DELETE', await invitationPath()),
  listReceivedInvitations: async () => {
    ({ acceptUrl } = await inviteTo(app.url, owner, teamId, guest.email));
    await ask(guest, 'GET', '/api/auth/invitations');
  },
  describeInvitation: async () => {
    const { search } = new URL((await mailedLinks(guest.email)).accept);
    await call('GET', `${app.url}/api/team/invitation${search}`);
  },
  askForInvitation: async () => {
    const { search } = new URL((await mailedLinks(guest.email)).accept);
    await call('POST', `${app.url}/api/team/ask-for-invitation${search}`);
  },
  acceptInvitationByLink: () => follow(acceptUrl),
  changeRole: () => ask(owner, 'PATCH', `/api/auth/teams/${teamId}/members/${guest.uid}`, { role: 'admin' }),
  listMembers: () => ask(owner, 'GET', `/api/auth/teams/${teamId}/members`),
  offerTransfer: offer,
  withdrawTransfer: async () => {
    await ask(owner, 'GET', `/api/auth/teams/${teamId}`);
    await ask(owner, 'DELETE', `/api/auth/teams/${teamId}/transfer`);
  },
  declineTransfer: async () => {
    await offer();
    await ask(guest, 'POST', `/api/auth/teams/${teamId}/transfer/decline`);
  },
  acceptTransfer: async () => {
    await offer();
    await ask(guest, 'POST', `/api/auth/teams/${teamId}/transfer/accept`);
  },
  listAuditLog: () => ask(owner, 'GET', `/api/auth/teams/${teamId}/audit`),
  removeMember: () => ask(owner, 'DELETE', `/api/auth/teams/${teamId}/members/${owner.uid}`),
  acceptInvitation: async () => {
    const { id } = await inviteTo(app.url, owner, await createTeam(app.url, owner), guest.email);
    await ask(guest, 'POST', `/api/auth/invitations/${id}/accept`);
  },
  rejectInvitation: async () => {
    const { id } = await inviteTo(app.url, owner, await createTeam(app.url, owner), guest.email);
    await ask(guest, 'POST', `/api/auth/invitations/${id}/reject`);
  },
  rejectInvitationByLink: async () => {
    const another = await createTeam(app.url, owner);
    await follow((await inviteTo(app.url, owner, another, guest.email)).rejectUrl);
  },
  askToUnsubscribe: async () => visit(await unsubscribeUrl()),
  unsubscribe: async () => call('POST', await unsubscribeUrl()),
  subscribe: async () => call('POST', (await unsubscribeUrl()).replace('unsubscribe', 'subscribe')),
  deleteTeam: async () => {
    await ask(guest, 'DELETE', `/api/auth/teams/${teamId}`);
    await ask(guest, 'DELETE', `/api/auth/teams/${otherTeamId}`);
  },
  checkout: () => visit(`${app.url}/api/auth/checkout/pro`, owner.bearer),
  listPlans: () => call('GET', `${app.url}/api/auth/plans`),
  finishCheckout: async () => {
    const { data } = await stripeOf(app).checkout.sessions.list({ status: 'open', limit: 1 });
    await visit(`${app.url}/api/auth/checkout/return?session_id=${data[0]?.id ?? ''}`, owner.bearer);
  },
  createCheckout: () => ask(owner, 'POST', '/api/auth/checkout', { plan: 'pro' }),
  createPortal: () => ask(owner, 'POST', '/api/auth/portal', {}),
  finishClientCheckout: () => visit(`${app.url}/api/auth/return`),
  finishPortal: async () => {
    const portal = await visit(`${app.url}/api/auth/portal`, owner.bearer);
    const page = await (await fetch(portal.headers.get('location') ?? '')).text();
    await visit(returnLinkOf(page)?.replace(APP_URL, app.url) ?? '');
  },
  listExtras: () => call('GET', `${app.url}/api/auth/extras`),
  purchase: () => ask(owner, 'POST', '/api/auth/purchases', { item: 'hundred' }),
  portal: () => visit(`${app.url}/api/auth/portal`, owner.bearer),
  receiveStripeEvent: async () => {
    const page = await visit(`${app.url}/api/auth/checkout/pro`, owner.bearer);
    await fetch(page.headers.get('location') ?? '', { method: 'POST', redirect: 'manual' });
    await fetch(`${app.stripe.url}/_emulator/idle`);
  },
  receiveAppStoreEvent: async () => {
    const { uid } = await signUp();
    const event = { id: 'e', type: 'RENEWAL', event_timestamp_ms: Date.now(), entitlement_ids: ['pro'] };
    return call('POST', `${app.url}/api/webhooks/stores`, {
      headers: { Authorization: 'Bearer store' },
      json: { event: { ...event, app_user_id: uid, expiration_at_ms: Date.now() + 60_000 } },
    });
  },
  getSubscription: () => ask(owner, 'GET', '/api/auth/subscription'),
  previewPlanChange: () => ask(owner, 'POST', '/api/auth/subscription/preview', { plan: 'business' }),
  changePlan: () => ask(owner, 'POST', '/api/auth/subscription/change', { plan: 'business' }),
  previewAddOn: () =>
    ask(owner, 'POST', '/api/auth/subscription/add-ons/preview', { addOn: 'storage', quantity: 2 }),
  setAddOn: () => ask(owner, 'POST', '/api/auth/subscription/add-ons', { addOn: 'storage', quantity: 2 }),
  cancelSubscription: () => ask(owner, 'POST', '/api/auth/subscription/cancel', { reason: 'unused' }),
  resumeSubscription: () => ask(owner, 'POST', '/api/auth/subscription/resume', {}),
  reportUsage: () => ask(owner, 'POST', '/api/usage', { meter: 'calls', value: 1, key: 'a' }),
  getUsage: () => ask(owner, 'GET', '/api/usage'),
  listInvoices: () => ask(owner, 'GET', '/api/auth/invoices'),
  upload: () =>
    call('POST', `${app.url}/api/upload`, { headers: owner.bearer, body: formWith(png(), 'a.png') }),
  listUploads: () => ask(owner, 'GET', '/api/uploads'),
  getUpload: async () => ask(owner, 'GET', await uploadPath()),
  revokeUpload: async () => ask(owner, 'POST', `${await uploadPath()}/revoke`),
  deleteUpload: async () => ask(owner, 'DELETE', await uploadPath()),
  exportUser: async () => (await ask(owner, 'GET', '/api/auth/user/export')).text(),
  listSessions: () => ask(owner, 'GET', '/api/auth/sessions'),
  registerDevice: () => askForDevices(app, owner),
  endOneSession: async () => {
    const { sessions } = (await (await ask(owner, 'GET', '/api/auth/sessions')).json()) as {
      sessions: { id: string }[];
    };
    await ask(owner, 'DELETE', `/api/auth/sessions/${sessions[0]?.id ?? ''}`);
  },
  ...ADMIN,
  deleteUser: () => ask(guest, 'DELETE', '/api/auth/user'),
  deleteSession: () =>
    call('DELETE', `${app.url}/api/auth/session?everywhere=true`, { headers: owner.bearer }),
};

function offer(): Promise<Response> {
  return ask(owner, 'POST', `/api/auth/teams/${teamId}/transfer`, { uid: guest.uid });
}

/** The path of the team's first open invitation. */
async function invitationPath(): Promise<string> {
  const path = `/api/auth/teams/${teamId}/invitations`;
  const { invitations } = (await (await ask(owner, 'GET', path)).json()) as { invitations: { id: string }[] };
  return `${path}/${invitations[0]?.id ?? ''}`;
}

/** The link that stops invitation mail to the guest. */
async function unsubscribeUrl(): Promise<string> {
  const text = (await mailTo(guest.email)).at(-1)?.text ?? '';
  const [link = ''] = /http\S+unsubscribe\?token=\S+/.exec(text) ?? [];
  return link.replace(APP_URL, app.url);
}

/** The path of the owner's latest upload. */
async function uploadPath(): Promise<string> {
  const { uploads } = (await (await ask(owner, 'GET', '/api/uploads')).json()) as {
    uploads: { id: string }[];
  };
  return `/api/uploads/${uploads[0]?.id ?? ''}`;
}

const follow = (link: string) => visit(link.replace(APP_URL, app.url), guest.bearer);

/** Each a test of its own, so that one which does not answer is named. */
test.each(Object.entries(JOURNEY))('%s is asked for', async (_id, request) => {
  await request();
  await app.stripe.idle();
});

test('every operation has answered successfully as the OpenAPI document describes', () => {
  expect(app.contract.violations).toEqual([]);
  const missing = ROUTES.filter(
    ({ id, answers }) =>
      !app.contract.seen.some((answer) => answer.id === id && String(answer.status) in answers),
  );
  expect(
    missing.map(({ id }) => id),
    'these were not answered with success: give them a request in JOURNEY',
  ).toEqual([]);
});

test('the OpenAPI document has the lowest measured cost of each operation', async () => {
  const costs = ROUTES.map(({ id, answers }) => {
    const usages = app.contract.seen
      .filter((answer) => answer.id === id && String(answer.status) in answers)
      .map(({ usage }) => usage);
    return [id, lowestOf(usages)] as const;
  });
  const lines = costs.map(
    ([id, cost]) => `  "${id}": ${JSON.stringify(cost).replaceAll(/[:,{]|}/g, spaced)}`,
  );
  // After a change of the costs: npm run costs
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(
    join(ROOT, 'functions/src/openapi/costs.json'),
  );
});

function lowestOf(usages: readonly Costs[]): Costs | undefined {
  const total = ({ reads, writes, deletes, auth, stripe }: Costs) => reads + writes + deletes + auth + stripe;
  return [...usages].sort((one, other) => total(one) - total(other))[0];
}

/** Spaces as Prettier writes them. */
const spaced = (mark: string) => ({ ':': ': ', ',': ', ', '{': '{ ', '}': ' }' })[mark] ?? mark;

test('the document is served as OpenAPI 3.1', async () => {
  const response = await call('GET', `${app.url}/api/openapi.json`);
  expect(await response.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: APP_URL }] });
});

const DEVIATIONS: [what: string, status: number, body: object][] = [
  ['a status', 418, { error: 'Tea.', code: 'internal' }],
  ['a field', 200, { status: 'ok', version: 1 }],
  ['an error code', 500, { error: 'Sorry.', code: 'busy' }],
  ['no error code', 500, { error: 'Sorry.' }],
];

test.each(DEVIATIONS)('%s that the document does not describe is detected', async (_what, status, body) => {
  const contract = createContract();
  const { url, close } = await listen(
    contract.watch((_request, response) => {
      response.status(status).json(body);
    }),
  );
  onTestFinished(close);
  await call('GET', `${url}/api/health`);
  expect(contract.violations).toHaveLength(1);
});

test('an undeclared code is noticed in an answer that does not show its code', async () => {
  const contract = createContract();
  const { url, close } = await listen(
    contract.watch((_request, response) => {
      response.locals['refusal'] = 'plan_is_free';
      response.status(400).json({ error: 'This plan is free.' });
    }),
  );
  onTestFinished(close);
  await call('POST', `${url}/api/upload`);
  expect(contract.violations).toEqual([expect.stringContaining('plan_is_free is not declared')]);
});
