import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { setOperator } from '../functions/src/admin/users/users.service.ts';
import { idOf } from '../functions/src/billing/stripe/stripe-ids.ts';
import { COMMANDS } from '../scripts/admin/commands/commands.ts';
import { NO_STRIPE_KEY, parse, runCommand, textOf } from '../scripts/admin/run.ts';
import { ROOT } from '../scripts/paths.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, claimsOf, settled, stripeOf, subscriptionOf } from './support/billing.ts';
import { STRIPE_SECRET_KEY } from './support/config.ts';
import { formWith, png } from './support/files.ts';
import { entriesBy, signUpOperator } from './support/operators.ts';
import { adminAuth, adminFirestore, exchangeCustomToken, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
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

/** Runs the command as npm does, against the stack. */
async function runProcess(
  line: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string }> {
  const { env, projectId } = inject('stack');
  const settings = { APP_URL: 'http://localhost:5000', MAIL_FROM: 'Hearth <a@example.com>', ...secrets };
  return promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/admin/admin.ts'), ...line.split(' '), '--project', projectId, '--json'],
    // The variable of this process names another bucket.
    { env: { ...process.env, ...env, ...settings, FIREBASE_CONFIG: undefined } },
  );
}

test('the command prints JSON, and records who ran it', async () => {
  const person = await signUp();
  const name = crypto.randomUUID();
  const { stdout } = await runProcess(`users disable ${person.email} --operator ${name}`);
  expect(JSON.parse(stdout)).toEqual({ done: 'users disable', id: person.uid });
  expect(await entriesBy(`cli:${name}`)).toMatchObject([
    { action: 'admin.user_changed', target: person.uid },
  ]);
  expect((await adminAuth().getUser(person.uid)).disabled).toBe(true);
});

test('docs/operators.md names the commands that need the key of Stripe', async () => {
  const page = await readFile(join(ROOT, 'docs/operators.md'), 'utf8');
  const [, list = ''] = /commands that call\s+Stripe:\s+([^]*?), and to\s+find/.exec(page) ?? [];
  const named = [...list.matchAll(/`(.+?)`/g)].map(([, name]) => name);
  const needing = Object.entries(COMMANDS).filter(([, { needsStripe }]) => needsStripe === true);
  expect(named.sort()).toEqual(needing.map(([name]) => name).sort());
});

test('an export is JSON with all items also without the option, and other results are whole', async () => {
  const person = await signUp();
  const batch = adminFirestore().batch();
  for (let index = 0; index < 101; index++) {
    const entry = { actorId: person.uid, action: 'team.updated', target: 'team', at: new Date() };
    batch.create(adminFirestore().collection('auditLog').doc(), { ...entry, teamId: 'team', details: {} });
  }
  await batch.commit();
  const typed = parse(['users', 'export', person.uid]);
  const exported = textOf(await runCommand(app.backend, { id: nameOperator() }, typed), typed);
  const { auditEntriesBy: entries } = JSON.parse(exported) as { auditEntriesBy: unknown[] };
  expect(entries).toHaveLength(101);

  const shown = textOf({ entries: ['a'.repeat(20_000), ...entries] }, parse(['users', 'show', person.uid]));
  expect(shown).not.toMatch(/more (?:items|characters)/);
});

describe('files in the bucket of the project', () => {
  /** Sends a file to the function of the stack, which has the bucket of the emulators. */
  const send = async (person: Person) => {
    const response = await call('POST', `${inject('stack').urls.api}/api/upload`, {
      headers: person.bearer,
      body: formWith(png(), 'a.png'),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    const { url } = (await response.json()) as { url: string };
    expect(url).toContain(`${inject('stack').projectId}.appspot.com`);
    return { url, id: response.headers.get('X-Upload-Id') ?? '' };
  };

  test('are deleted with an upload', async () => {
    const { id, url } = await send(await signUp());
    expect((await fetch(url)).ok).toBe(true);
    await runProcess(`uploads delete ${id} --yes`);
    expect((await fetch(url)).ok).toBe(false);
  });

  test('are deleted with their user, whose export has working links', async () => {
    const person = await signUp();
    const { url } = await send(person);
    const { stdout } = await runProcess(`users export ${person.uid}`);
    const { uploads } = JSON.parse(stdout) as { uploads: { url: string }[] };
    expect(uploads.map((upload) => upload.url)).toEqual([url]);
    expect((await fetch(url)).ok).toBe(true);
    await runProcess(`users delete ${person.uid} --yes`, { STRIPE_SECRET_KEY });
    expect((await fetch(url)).ok).toBe(false);
  });
});

test('the command says that the key of Stripe is missing', async () => {
  await expect(runProcess('subscriptions show sub_1')).rejects.toThrow(
    'environment variable STRIPE_SECRET_KEY',
  );
});

test.each([
  'users delete X --yes',
  'users delete X --dry-run',
  'teams delete X --yes',
  'subscriptions sync X',
])('without the key of Stripe, %s changes nothing', async (line) => {
  const { teamId, owner, outsider } = await castOf(app.url);
  const config = { ...app.backend.config, stripeSecretKey: NO_STRIPE_KEY };
  const id = line.startsWith('teams') ? teamId : outsider.uid;
  const typed = parse(line.replace('X', id).split(' '));
  const operator = nameOperator();
  const failing = runCommand({ ...app.backend, config }, { id: operator }, typed);
  await expect(failing).rejects.toThrow('Set the environment variable STRIPE_SECRET_KEY.');
  expect(await entriesBy(operator)).toEqual([]);
  expect(await run(`teams show ${teamId}`)).toMatchObject({ team: { ownerId: owner.uid } });
  expect(await run(`users show ${outsider.uid}`)).toMatchObject({ user: { disabled: false } });
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

  test('stop being operators although a concurrent sync writes the former claims back', async () => {
    const person = await signUp();
    await adminAuth().setCustomUserClaims(person.uid, { admin: true });
    const { auth } = app.backend;
    let isOvertaken = false;
    const setCustomUserClaims: typeof auth.setCustomUserClaims = async (uid, claims) => {
      await auth.setCustomUserClaims(uid, claims);
      if (!isOvertaken) await adminAuth().setCustomUserClaims(uid, { admin: true, plan: 'pro' });
      isOvertaken = true;
    };
    const backend = { ...app.backend, auth: { ...auth, setCustomUserClaims } };
    await setOperator(backend, { id: nameOperator() }, person.uid, false);
    expect(await claimsOf(person)).toEqual({ plan: 'pro' });
  });

  test('are enabled, verified, signed out, given a plan and exported', async () => {
    const person = await signUp({ emailVerified: false });
    await run(`users disable ${person.uid}`);
    await run(`users enable ${person.uid}`);
    await run(`users verify ${person.uid} --email ${person.email}`);
    await run(`users end-sessions ${person.uid}`);
    await run(`users grant-plan ${person.uid} --plan pro --until 2999-01-01`);
    expect(await adminAuth().getUser(person.uid)).toMatchObject({ disabled: false, emailVerified: true });
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    await run(`users end-plan ${person.uid}`);
    expect(await run(`users export ${person.uid}`)).toMatchObject({ account: { uid: person.uid } });
  });

  test('are impersonated in the name of an operator', async () => {
    const [person, operator] = await Promise.all([signUp(), signUpOperator()]);
    const line = `users impersonate ${person.uid} --as ${operator.email} --reason ticket`;
    const { token } = (await run(line, 'cli:grace')) as { token: string };
    expect(await entriesBy(operator.uid)).toMatchObject([
      { action: 'admin.impersonation_started', details: { reason: 'ticket', startedBy: 'cli:grace' } },
    ]);
    const idToken = await exchangeCustomToken(token);
    const change = await call('PATCH', `${app.url}/api/auth/user`, {
      headers: { Authorization: `Bearer ${idToken}` },
      json: { displayName: 'Ada' },
    });
    expect(change.status).toBe(200);
    expect(await entriesBy(operator.uid)).toContainEqual(
      expect.objectContaining({
        action: 'admin.impersonated_request',
        details: { request: 'PATCH /api/auth/user', startedBy: 'cli:grace' },
      }),
    );
  });

  test.each([
    ['--reason ticket --minutes abc', '--minutes: '],
    ['--reason ticket --minutes 61', '--minutes: '],
    ['--reason ticket --minutes 0', '--minutes: '],
    ['--reason ticket --minutes 1.5', '--minutes: '],
    ['--reason x', '--reason: '],
    ['', 'Missing: --reason'],
  ])('are not impersonated with "%s"', async (options, message) => {
    const [person, operator] = await Promise.all([signUp(), signUpOperator()]);
    const line = `users impersonate ${person.uid} --as ${operator.email} ${options}`.trim();
    for (const dry of ['', ' --dry-run']) await expect(run(line + dry)).rejects.toThrow(message);
    expect(await entriesBy(operator.uid)).toEqual([]);
  });

  test('are impersonated only in the name of an operator, and not of another user', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const line = `users impersonate ${person.uid} --as ${other.email} --reason ticket`;
    await expect(run(line)).rejects.toThrow(`${other.email} is no operator`);
    expect(await entriesBy(other.uid)).toEqual([]);
  });

  test('are deleted only after a confirmation', async () => {
    const person = await signUp();
    await expect(run(`users delete ${person.uid}`)).rejects.toThrow('Add --yes');
    await run(`users delete ${person.uid} --yes`);
    await expect(adminAuth().getUser(person.uid)).rejects.toThrow();
  });
});

test('a damaged team is found by its id or slug, and deleted', async () => {
  const { teamId } = await castOf(app.url);
  const document = adminFirestore().doc(`teams/${teamId}`);
  const slug = (await document.get()).get('slug') as string;
  await document.update({ seatLimit: 'many' });
  const found = { id: teamId, name: teamId, slug: '', ownerId: '', plan: '' };
  for (const text of [teamId, slug])
    expect(await run(`teams find ${text}`)).toEqual({ users: [], teams: [found] });
  expect(await run(`teams delete ${teamId} --yes --dry-run`)).toMatchObject({ dryRun: true });
  await run(`teams delete ${teamId} --yes`);
  expect((await document.get()).exists).toBe(false);
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

test('invitations and mail are found by an address without an account', async () => {
  const { teamId, owner } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const { id, email } = await inviteTo(app.url, owner, teamId, `${crypto.randomUUID()}@example.com`);
  expect(await run(`invitations find ${email.toUpperCase()}`)).toMatchObject([{ id, email, teamId }]);
  expect(await run(`mail find ${email}`)).toMatchObject({
    mail: [{ state: 'PENDING' }],
    mailRecipient: { optedOutAt: null, count: 1 },
  });
});

test('subscriptions are shown and synced', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  await run(`subscriptions sync ${id}`);
  expect(await run(`subscriptions show ${id}`)).toMatchObject({ customerId: person.uid, status: 'active' });
});

describe('a checkout that was paid elsewhere', () => {
  async function payElsewhere(reference: string): Promise<string> {
    const stripe = stripeOf(app);
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_hearth_pro_month', quantity: 1 }],
      client_reference_id: reference,
      success_url: 'https://shop.example.com/',
    });
    const body = new URLSearchParams({ email: 'payer@example.com' });
    await fetch(session.url ?? '', { method: 'POST', body, redirect: 'manual' });
    await settled(app);
    return session.id;
  }

  test('is shown with its payer in a dry run, and linked after a confirmation', async () => {
    const [person, operator] = [await signUp(), nameOperator()];
    const session = await payElsewhere('of-a-stranger');
    const line = `billing link ${session} ${person.email}`;
    expect(await run(`${line} --dry-run`, operator)).toMatchObject({
      plan: {
        checkout: { payer: { email: 'payer@example.com' }, reference: 'of-a-stranger' },
        user: { uid: person.uid },
      },
      auditEntries: [{ action: 'admin.checkout_linked' }],
      endedBefore: 'Stripe: customers.update',
    });
    await expect(run(line, operator)).rejects.toThrow('Add --yes');
    expect(await claimsOf(person)).toEqual({});
    await run(`${line} --yes`, operator);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    expect(await entriesBy(operator)).toMatchObject([
      { action: 'admin.checkout_linked', target: person.uid, details: { checkout: session } },
    ]);
  });

  test('is linked to a team, and then to nobody else', async () => {
    const { teamId, outsider } = await castOf(app.url);
    const session = await payElsewhere(outsider.uid);
    await run(`billing link ${session} ${teamId} --yes`);
    expect(await run(`teams show ${teamId}`)).toMatchObject({ team: { plan: 'pro' } });
    await expect(run(`billing link ${session} ${outsider.uid} --yes`)).rejects.toThrow(
      'another user or team',
    );
  });

  test('is not linked to somebody who pays already', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const session = await payElsewhere(person.uid);
    await expect(run(`billing link ${session} ${person.uid} --yes`)).rejects.toThrow('pays already');
  });

  test.each([
    ['billing link cs_test_nobody X --yes', 'There is no such checkout'],
    ['billing link cs_test_nobody --yes', 'Missing: <user or team>'],
    ['billing link cs_test_nobody nobody --yes', 'There is no user or team for nobody'],
  ])('%s fails with a reason', async (line, reason) => {
    const { uid } = await signUp();
    await expect(run(line.replace('X', uid))).rejects.toThrow(reason);
  });
});

test.each(Object.keys(COMMANDS))('%s says how it is used without its argument', async (name) => {
  await expect(run(name)).rejects.toThrow(name);
});

test.each(Object.entries(COMMANDS))('%s refuses a further argument', async (name, { usage }) => {
  const [wanted = ''] = usage.split(/ \[?--/);
  const message = `${name} takes only ${wanted}. Unexpected: ben cid`;
  const args = Array.from(wanted.matchAll(/<[^>]+>/g), () => 'ada');
  await expect(run(`${[name, ...args].join(' ')} ben cid --yes`)).rejects.toThrow(message);
});

test.each([
  ['users show nobody@example.com', 'There is no user for nobody@example.com'],
  ['teams show nobody', 'There is no team for nobody'],
  ['users fly somebody', 'npm run admin'],
])('%s fails with a reason', async (line, reason) => {
  await expect(run(line)).rejects.toThrow(reason);
});

test.each([
  ['users grant-plan X --until 2999-01-01', 'Missing: --plan'],
  ['users grant-plan X --plan pro --until someday', 'someday is not a date'],
])('%s fails with a reason', async (line, reason) => {
  const { uid } = await signUp();
  await expect(run(line.replace('X', uid))).rejects.toThrow(reason);
});
