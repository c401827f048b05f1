import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { idOf } from '../functions/src/billing/stripe/stripe-ids.ts';
import { COMMANDS } from '../scripts/admin/commands.ts';
import { parse, runCommand } from '../scripts/admin/run.ts';
import { ROOT } from '../scripts/paths.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, claimsOf, subscriptionOf } from './support/billing.ts';
import { entriesBy } from './support/operators.ts';
import { adminAuth, adminFirestore, signUp } from './support/people.ts';
import { useResources } from './support/resources.ts';
import { castOf, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

/** A name for the operator of each test, by which its entries are found. */
const nameOperator = () => `cli:${crypto.randomUUID()}`;

const run = (line: string, operator = nameOperator()) =>
  runCommand(app.backend, { id: operator }, parse(line.split(' ')));

test('the command prints JSON, and records who ran it', async () => {
  const person = await signUp();
  const { env, projectId } = inject('stack');
  const name = crypto.randomUUID();
  const args = ['users', 'disable', person.email, '--project', projectId, '--operator', name, '--json'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/admin/admin.ts'), ...args],
    {
      env: { ...process.env, ...env, APP_URL: 'http://localhost:5000', MAIL_FROM: 'Hearth <a@example.com>' },
    },
  );
  expect(JSON.parse(stdout)).toEqual({ done: 'users disable', id: person.uid });
  expect(await entriesBy(`cli:${name}`)).toMatchObject([
    { action: 'admin.user_changed', target: person.uid },
  ]);
  expect((await adminAuth().getUser(person.uid)).disabled).toBe(true);
});

describe('users', () => {
  test('are found by address, uid and id of Stripe, and shown', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const { customer } = await subscriptionOf(app, person.uid);
    for (const text of [person.email, person.uid, idOf(customer)]) {
      expect(await run(`users show ${text}`)).toMatchObject({ user: { uid: person.uid }, plan: 'pro' });
    }
  });

  test('become operators and stop being such, and keep their other claims', async () => {
    const person = await signUp();
    const operator = nameOperator();
    await adminAuth().setCustomUserClaims(person.uid, { plan: 'pro' });
    await run(`users grant-admin ${person.email}`, operator);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', admin: true });
    await run(`users revoke-admin ${person.email}`, operator);
    expect(await claimsOf(person)).toEqual({ plan: 'pro' });
    expect(await entriesBy(operator)).toMatchObject([
      { action: 'admin.claim_given', target: person.uid },
      { action: 'admin.claim_taken', target: person.uid },
    ]);
  });

  test('are enabled, verified, signed out, given a plan and exported', async () => {
    const person = await signUp({ emailVerified: false });
    await run(`users disable ${person.uid}`);
    await run(`users enable ${person.uid}`);
    await run(`users verify ${person.uid}`);
    await run(`users end-sessions ${person.uid}`);
    await run(`users grant-plan ${person.uid} --plan pro --until 2999-01-01`);
    expect(await adminAuth().getUser(person.uid)).toMatchObject({ disabled: false, emailVerified: true });
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    await run(`users end-plan ${person.uid}`);
    expect(await run(`users export ${person.uid}`)).toMatchObject({ account: { uid: person.uid } });
  });

  test('are impersonated in the name of an operator', async () => {
    const [person, operator] = await Promise.all([signUp(), signUp()]);
    const result = await run(`users impersonate ${person.uid} --as ${operator.email} --reason ticket`);
    expect(result).toMatchObject({ token: expect.any(String) as unknown });
    expect(await entriesBy(operator.uid)).toMatchObject([{ action: 'admin.impersonation_started' }]);
  });

  test('are deleted only after a confirmation', async () => {
    const person = await signUp();
    await expect(run(`users delete ${person.uid}`)).rejects.toThrow('Add --yes');
    await run(`users delete ${person.uid} --yes`);
    await expect(adminAuth().getUser(person.uid)).rejects.toThrow();
  });
});

test('teams are shown, get another owner and a plan, and are deleted', async () => {
  const { teamId, member } = await castOf(app.url);
  await run(`teams set-owner ${teamId} ${member.email}`);
  await run(`teams grant-plan ${teamId} --plan business --until 2999-01-01`);
  expect(await run(`teams show ${teamId}`)).toMatchObject({
    team: { ownerId: member.uid, plan: 'business' },
  });
  await run(`teams end-plan ${teamId}`);
  await run(`teams delete ${teamId} --yes`);
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);
});

test('invitations are shown and mailed again', async () => {
  const { teamId, owner } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const { id, email } = await inviteTo(app.url, owner, teamId, `${crypto.randomUUID()}@example.com`);
  await run(`invitations resend ${id}`);
  expect(await run(`invitations show ${id}`)).toMatchObject({ email });
  expect(await mailTo(email)).toHaveLength(2);
});

test('subscriptions are shown and synced', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  await run(`subscriptions sync ${id}`);
  expect(await run(`subscriptions show ${id}`)).toMatchObject({ customerId: person.uid, status: 'active' });
});

describe('every command', () => {
  const changing = Object.entries(COMMANDS).filter(([, { reads }]) => reads !== true);

  test.each(changing)('%s changes nothing in a dry run', async (name) => {
    const { teamId, owner } = await castOf(app.url);
    const subject = { users: owner.uid, teams: teamId }[name.split(' ')[0] ?? ''] ?? 'anything';
    const operator = nameOperator();
    const result = await run(`${name} ${subject} --dry-run`, operator);
    expect(result).toMatchObject({ dryRun: true, command: name, id: subject });
    expect(await entriesBy(operator)).toEqual([]);
  });

  test.each(Object.keys(COMMANDS))('%s says how it is used without its argument', async (name) => {
    await expect(run(name)).rejects.toThrow(name);
  });
});

test.each([
  ['users show nobody@example.com', 'There is no user for nobody@example.com'],
  ['teams show nobody', 'There is no team for nobody'],
  ['users fly somebody', 'npm run admin'],
])('%s fails with a reason', async (line, reason) => {
  await expect(run(line)).rejects.toThrow(reason);
});

test.each([
  ['users grant-plan X --until 2999-01-01', 'Missing: plan'],
  ['users grant-plan X --plan pro --until someday', 'someday is not a date'],
])('%s fails with a reason', async (line, reason) => {
  const { uid } = await signUp();
  await expect(run(line.replace('X', uid))).rejects.toThrow(reason);
});
