import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../scripts/admin/commands/commands.ts';
import { parse, runCommand } from '../scripts/admin/run.ts';
import { buy, subscriptionOf } from './support/billing.ts';
import { formWith, png } from './support/files.ts';
import { useMeteredApp } from './support/metered-app.ts';
import { signUpOperator } from './support/operators.ts';
import { adminAuth, adminFirestore, signUp } from './support/people.ts';
import { call } from './support/requests.ts';
import { castOf, inviteTo, setSeatLimit } from './support/teams.ts';

/** A Firestore of its own, so that every write is one of this file. */
const { app, firestore } = useMeteredApp();

const run = (line: string) => runCommand(app.backend, { id: 'cli:test' }, parse(line.split(' ')));

/** The requests to Stripe that change something. */
async function stripeChanges(): Promise<unknown[]> {
  const answer = await fetch(`${app.stripe.url}/_emulator/requests`);
  const { recent } = (await answer.json()) as { recent: { method: string }[] };
  return recent.filter(({ method }) => method !== 'GET');
}

describe('a dry run', () => {
  /** Everything that commands can change. */
  async function stage() {
    const cast = await castOf(app.url);
    const { teamId, owner } = cast;
    await setSeatLimit(teamId, 10);
    const invitation = await inviteTo(app.url, owner, teamId, `${crypto.randomUUID()}@example.com`);
    const person = await signUp();
    await buy(app, person, 'pro');
    const subscription = await subscriptionOf(app, person.uid);
    const sent = await call('POST', `${app.url}/api/upload`, {
      headers: person.bearer,
      body: formWith(png(), 'a.png'),
    });
    await run(`users grant-plan ${person.uid} --plan pro --until 2999-01-01`);
    await run(`teams grant-plan ${teamId} --plan pro --until 2999-01-01`);
    const mail = await adminFirestore()
      .collection('mail')
      .add({
        to: [person.email],
        message: { subject: 'Receipt' },
        delivery: { state: 'ERROR', attempts: 1 },
      });
    const now = new Date();
    const usage = { customerId: person.uid, meter: 'calls', value: 1, at: now, deleteAt: now };
    await adminFirestore()
      .collection('usageReports')
      .add({ ...usage, batchId: null });
    await adminFirestore()
      .collection('usageBatches')
      .add({ ...usage, status: 'waiting', sendAt: now, triedAt: null });
    const operator = await signUpOperator();
    return {
      ...cast,
      person,
      operator,
      team: teamId,
      invitation: invitation.id,
      subscription: subscription.id,
      upload: sent.headers.get('X-Upload-Id') ?? '',
      url: ((await sent.json()) as { url: string }).url,
      mail: mail.id,
    };
  }

  type Stage = Awaited<ReturnType<typeof stage>>;

  /** Each command that changes something, with a part of what its dry run says. */
  const CASES: Readonly<Record<string, (stage: Stage) => [line: string, plan: object]>> = {
    'users disable': ({ person }) => [person.uid, { user: { uid: person.uid }, change: { disabled: true } }],
    'users enable': ({ person }) => [person.email, { change: { disabled: false } }],
    'users verify': ({ person }) => [
      `${person.uid} --email ${person.email}`,
      { change: { verifiedEmail: person.email } },
    ],
    'users end-sessions': ({ person }) => [person.uid, { sessions: 0 }],
    'users send-mail': ({ person }) => [
      `${person.uid} --kind password_reset`,
      { user: { email: person.email }, kind: 'password_reset' },
    ],
    'users grant-plan': ({ person }) => [
      `${person.uid} --plan business --until 2999-02-01`,
      { user: { uid: person.uid }, plan: 'business', until: '2999-02-01T00:00:00.000Z' },
    ],
    'users end-plan': ({ person }) => [person.uid, { plan: 'pro', until: '2999-01-01T00:00:00.000Z' }],
    'users grant-admin': ({ person }) => [person.uid, { change: { isOperator: true } }],
    'users revoke-admin': ({ operator }) => [operator.uid, { change: { isOperator: false } }],
    'users impersonate': ({ person, operator }) => [
      `${person.uid} --as ${operator.email} --reason ticket`,
      { as: { uid: operator.uid }, minutes: 30, reason: 'ticket' },
    ],
    'users export': ({ person }) => [person.uid, { user: { email: person.email } }],
    'users delete': ({ person }) => [
      person.uid,
      { leaves: [], deletes: { uploads: 1 }, cancels: { subscriptions: 1 } },
    ],
    'teams set-owner': ({ team, owner, member }) => [
      `${team} ${member.email}`,
      { team: { ownerId: owner.uid }, newOwner: { uid: member.uid } },
    ],
    'teams grant-plan': ({ team }) => [
      `${team} --plan business --until 2999-02-01`,
      { team: { id: team }, plan: 'business' },
    ],
    'teams end-plan': ({ team }) => [team, { plan: 'pro' }],
    'teams delete': ({ team }) => [team, { deletes: { members: 3, invitations: 1, uploads: 0 } }],
    'invitations resend': ({ invitation, team }) => [invitation, { status: 'pending', team: { id: team } }],
    'mail resend': ({ mail, person }) => [mail, { to: [person.email], subject: 'Receipt', state: 'ERROR' }],
    'subscriptions sync': ({ subscription, person }) => [
      subscription,
      { customerId: person.uid, status: 'active', statusOfCopy: 'active' },
    ],
    'uploads delete': ({ upload, person }) => [upload, { name: 'a.png', ownerId: person.uid }],
    'events recover': () => ['2020-01-01', { events: expect.any(Number) as number }],
    'usage close': () => [new Date().toISOString(), { reports: 1, batches: 1 }],
  };

  test('is known of every command that changes something', () => {
    const changing = Object.entries(COMMANDS).filter(([, { plan }]) => plan !== undefined);
    // `tests/admin-cli.test.ts` has the dry run of this command, which needs a paid payment link.
    const names = changing.map(([name]) => name).filter((name) => name !== 'billing link');
    expect(Object.keys(CASES)).toEqual(names);
  });

  test('says what each command would do, and writes nothing', async () => {
    const set = await stage();
    const { uid } = set.person;
    const before = (await adminAuth().getUser(uid)).toJSON();
    const askedBefore = (await stripeChanges()).length;
    for (const [name, describeCase] of Object.entries(CASES)) {
      const [line, plan] = describeCase(set);
      let result: unknown;
      const { writes, deletes } = await firestore.measure(async () => {
        result = await run(`${name} ${line} --dry-run`);
      });
      expect({ writes, deletes }, name).toEqual({ writes: 0, deletes: 0 });
      expect(result, name).toMatchObject({ dryRun: true, command: name, plan });
    }
    expect((await adminAuth().getUser(uid)).toJSON()).toEqual(before);
    expect(await stripeChanges()).toHaveLength(askedBefore);
    expect((await fetch(set.url)).status).toBe(200);
  });

  test('has the entries of the audit log that the change would make', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    expect(await run(`teams set-owner ${teamId} ${member.uid} --dry-run`)).toMatchObject({
      auditEntries: [{ action: 'admin.owner_changed', target: member.uid, details: { from: owner.uid } }],
    });
  });

  test.each<[command: string, endedBefore: string]>([
    ['users disable OWNER', 'Firebase Auth: updateUser'],
    ['users delete SUBSCRIBER', 'Stripe: subscriptions.cancel'],
    ['teams delete TEAM', 'Firestore: purge'],
  ])('a dry run of "%s" names the change before which it ended', async (line, endedBefore) => {
    const { teamId, owner } = await castOf(app.url);
    const subscriber = await signUp();
    await buy(app, subscriber, 'pro');
    const named = line
      .replace('TEAM', teamId)
      .replace('OWNER', owner.uid)
      .replace('SUBSCRIBER', subscriber.uid);
    expect(await run(`${named} --dry-run`)).toMatchObject({
      endedBefore,
      unknown: expect.stringContaining('after it') as string,
    });
  });

  test.each([{ role: 1 }, { grace_until: 'soon' }])(
    'a damaged plan can be ended in a dry run: %j',
    async (damage) => {
      const { uid } = await signUp();
      await run(`users grant-plan ${uid} --plan pro --until 2999-01-01`);
      await adminFirestore().doc(`customers/${uid}/subscriptions/comped`).update(damage);
      const result = await run(`users end-plan ${uid} --dry-run`);
      expect(result).toMatchObject({ dryRun: true, plan: { user: { uid } } });
    },
  );

  test('a complete dry run names no such change', async () => {
    const { uid } = await signUp();
    const result = await run(`users grant-plan ${uid} --plan pro --until 2999-01-01 --dry-run`);
    expect(Object.keys(result as object)).not.toContain('endedBefore');
  });

  test.each<[line: string, message: string]>([
    ['uploads delete nothing', 'There is no such upload'],
    ['invitations resend nothing', 'This invitation does not exist.'],
    ['mail resend nothing', 'There is no such mail'],
    ['subscriptions sync sub_nothing', 'There is no such subscription.'],
    ['users disable nobody@example.com', 'There is no user for nobody@example.com'],
    ['users send-mail MEMBER', 'Missing: --kind'],
    ['users verify MEMBER', 'Missing: --email'],
    ['users verify MEMBER --email x', '--email: '],
    ['teams set-owner TEAM', 'Missing: <user>'],
    ['usage close 2999-01-01', '2999-01-01 is in the future'],
    ['users send-mail MEMBER --kind verification', 'is already verified'],
    ['users grant-plan MEMBER --plan gold --until 2999-01-01', 'no such plan'],
    ['users grant-plan MEMBER --plan pro --until 2020-01-01', 'The end must be in the future.'],
    ['users grant-plan MEMBER --plan pro --until 2999-02-30', '2999-02-30 is not a date'],
    ['users end-plan MEMBER', 'plan'],
    ['users delete OWNER', 'owner'],
    ['teams set-owner TEAM OUTSIDER', 'This person is not in the team.'],
    ['teams set-owner TEAM nobody@example.com', 'There is no user for nobody@example.com'],
  ])('a dry run of "%s" fails as the command does', async (line, message) => {
    const { teamId, owner, member, outsider } = await castOf(app.url);
    const named = line
      .replace('TEAM', teamId)
      .replace('OWNER', owner.uid)
      .replace('MEMBER', member.uid)
      .replace('OUTSIDER', outsider.uid);
    const failureOf = (typed: string) =>
      run(typed).then(
        () => 'no failure',
        (error: unknown) => (error as Error).message,
      );
    const failure = await failureOf(`${named} --dry-run`);
    expect(failure).toContain(message);
    expect(await failureOf(`${named} --yes`)).toBe(failure);
  });
});
