import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { exportUser } from '../functions/src/account/export.service.ts';
import { recordUsage } from '../functions/src/billing/usage/report.service.ts';
import { sendUsage } from '../functions/src/billing/usage/send.service.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { NESTED_COLLECTIONS, ROOT_COLLECTIONS } from '../functions/src/firestore/collections.ts';
import { ROOT } from '../scripts/paths.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, buyOnce } from './support/billing.ts';
import { CREDITS, METERS } from './support/extras.ts';
import { formWith, png } from './support/files.ts';
import { signUpOperator } from './support/operators.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { createTeam, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({
    config: { pushMessages: true, trialDays: 14, extras: { ...CREDITS, meters: METERS.meters } },
  });
});
afterAll(() => app[Symbol.asyncDispose]());

type Fields = Record<string, unknown>;
type Exported = Record<string, Fields[]> & {
  account: Fields;
  profile: Fields;
  customer: Fields;
  trial: Fields;
};

const ask = ({ bearer }: Pick<Person, 'bearer'>, appUrl = app.url) =>
  call('GET', `${appUrl}/api/auth/user/export`, { headers: bearer });

const exportOf = async (person: Person) => (await (await ask(person)).json()) as Exported;

const upload = ({ bearer }: Person, query = '') =>
  call('POST', `${app.url}/api/upload${query}`, { headers: bearer, body: formWith(png(), 'me.png') });

/** A person with data in every part of an export. */
async function settle(): Promise<{ person: Person; owner: Person; teamId: string }> {
  const [person, owner] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 20);
  const { id } = await inviteTo(app.url, owner, teamId, person.email);
  await visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, person.bearer);
  await startSession(app.url, person);
  const token = 'token:export';
  await call('POST', `${app.url}/api/auth/devices`, { headers: person.bearer, json: { token } });
  await call('PATCH', `${app.url}/api/auth/teams/${teamId}/members/${person.uid}`, {
    headers: owner.bearer,
    json: { role: 'admin' },
  });
  await inviteTo(app.url, person, teamId, 'guest@example.com');
  await upload(person);
  await upload(person, `?team=${teamId}`);
  await buy(app, person, 'pro');
  await adminFirestore().collection(`customers/${person.uid}/checkout_sessions`).add({ price: 'price_1' });
  await adminFirestore().collection(`customers/${person.uid}/payments`).add({ amount: 1200 });
  await buyOnce(app, person, { item: 'hundred' });
  const usage = { customerId: person.uid, meter: 'calls', value: 1, key: 'job' };
  await recordUsage(app.backend, usage);
  await sendUsage(app.backend);
  return { person, owner, teamId };
}

/** The values of the parameters of a link that nobody can guess. */
const secretsIn = (link: URL): string[] =>
  [...link.searchParams.values()].filter((value) => value.length >= 24);

/** For each collection: the part of the export with its documents about a user, or the reason why there is none. */
const DECISIONS: Readonly<Record<string, readonly string[] | string>> = {
  'users/{uid}': ['profile'],
  'users/{uid}/sessions/{sessionId}': ['sessions'],
  'teams/{teamId}': ['memberships'],
  'teams/{teamId}/members/{uid}': ['memberships'],
  'teamSlugs/{slug}': 'nothing about a person',
  'invitations/{invitationId}': ['invitationsReceived', 'invitationsSent'],
  'mail/{mailId}': ['mail'],
  'mailRecipients/{hash}': 'a hash of the mailbox with its count and its choice, without an account',
  'devices/{id}': ['devices'],
  'pushes/{id}': 'a message that is deleted within seconds, once it is sent',
  'auditLog/{entryId}': ['auditEntriesBy', 'auditEntriesAbout'],
  'customers/{customerId}': ['customer'],
  'customers/{customerId}/subscriptions/{subscriptionId}': ['subscriptions'],
  'customers/{customerId}/subscriptions/{subscriptionId}/invoices/{invoiceId}':
    'invoices that the Stripe extension has copied; Stripe has them, and shows them in the portal',
  'customers/{customerId}/payments/{id}': ['payments'],
  'customers/{uid}/checkout_sessions/{id}': ['checkoutSessions'],
  'planChanges/{id}': 'a change of plan that is deleted within seconds, once it is delivered',
  'customers/{customerId}/purchases/{purchaseId}': ['purchases'],
  'credits/{customerId}': ['credits'],
  'credits/{customerId}/entries/{entryId}': ['creditEntries'],
  'usageReports/{id}': ['usageReports'],
  'usageBatches/{id}': ['usageBatches'],
  'products/{productId}': 'nothing about a person',
  'products/{productId}/prices/{priceId}': 'nothing about a person',
  'content/{plan}/items/{itemId}': 'nothing about a person',
  'content/{plan}/teams/{teamId}/items/{itemId}': 'nothing about a person',
  'entitled/{entitlement}/items/{itemId}': 'nothing about a person',
  'entitled/{entitlement}/teams/{teamId}/items/{itemId}': 'nothing about a person',
  'limited/{limit}/items/{number}': 'nothing about a person',
  'limited/{limit}/teams/{teamId}/items/{number}': 'nothing about a person',
  'trials/{id}': ['trial'],
  'keys/hashes': 'nothing about a person',
  'rateLimits/{hash}': 'a hash and a count, deleted within hours',
  'sweeps/billing': 'nothing about a person',
  'sweeps/subscriptions': 'nothing about a person',
  'sweeps/events': 'nothing about a person',
  'sweeps/entitlements': 'nothing about a person',
  'sweeps/copiedSubscriptions': 'nothing about a person',
  'sweeps/accounts': 'a uid alone, as a position in a list',
  'sweeps/objects': 'a page token of Storage alone, as a position in a list',
  'stripeEvents/{eventId}': 'nothing about a person',
  'uploads/{uploadId}': ['uploads', 'uploadsToTeams'],
  'usage/{ownerId}': ['storageUsage'],
};

describe('every collection', () => {
  const rowsOf = async (file: string) => {
    const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n');
    return lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|')[1] ?? '');
  };
  const pathsIn = (cell: string) => [...cell.matchAll(/`([a-z]+\/[^`]+)`/gi)].map(([, path = '']) => path);

  test('in the data model has a decision here and a row in docs/privacy.md', async () => {
    const decided = Object.keys(DECISIONS).sort();
    const model = (await rowsOf('docs/data-model.md'))
      .flatMap(pathsIn)
      .filter((path) => !path.startsWith('api'));
    const privacy = (await rowsOf('docs/privacy.md')).flatMap(pathsIn);
    expect([...new Set(model)].sort()).toEqual(decided);
    expect([...new Set(privacy)].sort()).toEqual(decided);
  });

  test('in the code is in the data model', () => {
    const root = Object.values(ROOT_COLLECTIONS).map(({ path }) => path);
    const nested = Object.values(NESTED_COLLECTIONS).map(({ parent, group }) => `${parent}/{}/${group}`);
    const decided = Object.keys(DECISIONS).map((path) =>
      path.replace(/\/[^/]+$/, '').replace(/\{\w+\}/g, '{}'),
    );
    expect([...root, ...nested].filter((path) => !decided.includes(path))).toEqual([]);
  });

  test('with a part in the export is exported, and every part belongs to a collection', () => {
    const parts = Object.values(DECISIONS).flatMap((decision) =>
      typeof decision === 'string' ? [] : decision,
    );
    expect([...new Set(parts)].sort()).toEqual(Object.keys(FEATURE_HOOKS.exportParts).sort());
  });
});

describe('GET /api/auth/user/export', () => {
  test('answers everything about the caller as a file that is not cached', async () => {
    const { person, owner, teamId } = await settle();
    const response = await ask(person);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename=account-${person.uid}.json`,
      'cache-control': 'private, no-store',
    });
    const text = await response.text();
    const all = JSON.parse(text) as Exported;
    for (const [name, part] of Object.entries(all)) {
      if (name !== 'incomplete') expect(part, name).not.toEqual(Array.isArray(part) ? [] : null);
    }
    expect(all.incomplete).toEqual([]);
    expect(all).toMatchObject({
      account: { uid: person.uid, email: person.email, emailVerified: true },
      profile: { email: person.email, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string },
      memberships: [{ teamId, teamName: 'Acme', role: 'admin' }],
      invitationsReceived: [{ teamId, status: 'accepted' }],
      invitationsSent: [{ teamId, email: 'guest@example.com' }],
      uploadsToTeams: [{ teamId, name: 'me.png' }],
      customer: { email: person.email },
      subscriptions: [{ status: 'trialing' }],
      auditEntriesBy: expect.arrayContaining([
        expect.objectContaining({ action: 'invitation.accepted' }),
      ]) as Fields[],
      auditEntriesAbout: [{ action: 'member.role_changed' }],
    });
    expect((await fetch(all['uploads']?.[0]?.['url'] as string)).status).toBe(200);
    expect(text).not.toContain(owner.uid);
    expect(text).not.toMatch(/token:export|passwordHash|passwordSalt|creationKey|invitedBy/);
  });

  test('contains no data of other users', async () => {
    await settle();
    const stranger = await signUp();
    const all = await exportOf(stranger);
    for (const [name, part] of Object.entries(all)) {
      if (Array.isArray(part)) expect(part, name).toEqual([]);
    }
  });

  test('contains no invitation or mail to an address that was never verified', async () => {
    const email = `${randomUUID()}@example.com`;
    const [impostor, owner] = await Promise.all([signUp({ email, emailVerified: false }), signUp()]);
    await inviteTo(app.url, owner, await createTeam(app.url, owner), email);
    expect(await exportOf(impostor)).toMatchObject({ invitationsReceived: [], mail: [] });
  });

  test('has no secret of a mailed link, for the user by cookie or for an operator', async () => {
    const [operator, owner, person] = await Promise.all([
      signUpOperator(),
      signUp(),
      signUp({ emailVerified: false }),
    ]);
    const { uid, email, bearer } = person;
    await call('POST', `${app.url}/api/auth/verification-mail`, { headers: bearer, json: {} });
    await call('POST', `${app.url}/api/auth/password-reset`, { json: { email } });
    await inviteTo(app.url, owner, await createTeam(app.url, owner), email);
    const links = (await mailTo(email)).flatMap(({ text }) => text.match(/https?:\/\/\S+\?\S+/g) ?? []);
    const secrets = links.flatMap((link) => secretsIn(new URL(link)));
    expect(secrets.length).toBeGreaterThanOrEqual(5);

    await adminAuth().updateUser(uid, { emailVerified: true });
    const cookie = await startSession(app.url, await signIn(person));
    const exports = await Promise.all([
      call('GET', `${app.url}/api/auth/user/export`, { headers: cookie }),
      call('GET', `${app.url}/api/admin/users/${uid}/export`, { headers: operator.bearer }),
    ]);
    for (const text of await Promise.all(exports.map((response) => response.text()))) {
      const { mail = [] } = JSON.parse(text) as Exported;
      expect(mail).toHaveLength(3);
      const written = { to: email, subject: expect.any(String) as string, state: 'PENDING' };
      for (const one of mail) expect(one).toEqual({ ...written, writtenAt: expect.any(String) as string });
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  test('contains all pages of a long list', async () => {
    const person = await signUp();
    const batch = adminFirestore().batch();
    for (let index = 0; index < 450; index++) {
      const entry = {
        teamId: 't',
        actorId: person.uid,
        action: 'team.updated',
        target: `${index}`,
        at: new Date(),
      };
      batch.create(adminFirestore().collection('auditLog').doc(), { ...entry, details: {} });
    }
    await batch.commit();
    const { auditEntriesBy = [] } = await exportOf(person);
    expect(new Set(auditEntriesBy.map(({ target }) => target)).size).toBe(450);

    let cut = '';
    for await (const text of await exportUser(app.backend, { uid: person.uid, maxItems: 449 })) cut += text;
    expect(JSON.parse(cut)).toMatchObject({ incomplete: ['auditEntriesBy'] });
    expect((JSON.parse(cut) as Exported)['auditEntriesBy']).toHaveLength(449);
  });

  test('needs a sign-in within the last five minutes', async () => {
    const person = await signUp();
    await using later = await serveApp({ backend: { now: () => new Date(Date.now() + 301_000) } });
    expect(await errorOf(await ask(person, later.url))).toMatchObject({
      status: 403,
      code: 'recent_sign_in_required',
    });
  });

  test('is limited to ten times an hour', async () => {
    const person = await signUp();
    const statuses: number[] = [];
    for (let time = 0; time < 11; time++) statuses.push((await ask(person)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });
});

test("the operator's script writes the same export", async () => {
  const { person } = await settle();
  const { projectId, env } = inject('stack');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/export-user.ts'), '--project', projectId, '--uid', person.uid],
    { env: { ...process.env, ...env, METADATA_SERVER_DETECTION: 'none' } },
  );
  const [written, answered] = [JSON.parse(stdout) as Exported, await exportOf(person)];
  expect({ ...written, exportedAt: '' }).toEqual({ ...answered, exportedAt: '' });
});
