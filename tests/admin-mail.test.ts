import { beforeAll, describe, expect, test } from 'vitest';
import { recipientIdOf } from '../functions/src/mail/recipient.ts';
import { parse, runCommand } from '../scripts/admin/run.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { entriesBy, operatorApi, signUpOperator } from './support/operators.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { createTeam, inviteTo, mailTo } from './support/teams.ts';

const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-05-01T12:00:00Z');

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const ask = operatorApi(() => app);

const send = (operator: Person, uid: string, kind: string) =>
  ask(operator, 'POST', `/users/${uid}/mail`, { kind });

const resend = (operator: Person, id: string) => ask(operator, 'POST', `/mail/${id}/resend`);

/** Runs a command of operators at a time. */
const run = (line: string, at = NOON) =>
  runCommand({ ...app.backend, now: () => new Date(at) }, { id: 'cli:test' }, parse(line.split(' ')));

/** Writes a mail to an address with a delivery. */
async function writeMail(to: string, delivery: object, fields: object = {}): Promise<string> {
  const message = { subject: 'Your receipt', text: 'Paid', html: '<p>Paid</p>' };
  const deleteAt = new Date(Date.now() + 30 * 24 * 60 * MINUTE_MS);
  const { id } = await adminFirestore()
    .collection('mail')
    .add({ to: [to], message, delivery: { attempts: 1, ...delivery }, deleteAt, ...fields });
  return id;
}

const deliveryOf = async (id: string) =>
  (await adminFirestore().doc(`mail/${id}`).get()).get('delivery') as Record<string, unknown>;

describe('mail about an account', () => {
  test.each([
    ['verification', false, 'mode=verifyEmail'],
    ['password_reset', true, 'mode=resetPassword'],
    ['welcome', true, '/dashboard'],
  ])('%s is sent once for repeated and concurrent requests, and recorded', async (kind, verified, link) => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp({ emailVerified: verified })]);
    const answers = await Promise.all([1, 2, 3].map(() => send(operator, person.uid, kind)));
    answers.push(await send(operator, person.uid, kind));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const mail = await mailTo(person.email);
    expect(mail).toHaveLength(1);
    expect(mail[0]?.text).toContain(link);
    expect(await entriesBy(operator.uid)).toMatchObject([
      { action: 'admin.mail_sent', target: person.uid, teamId: '', details: { kind } },
    ]);
  });

  test('is sent again after five minutes, also across a slot of the clock', async () => {
    const person = await signUp();
    const command = `users send-mail ${person.email} --kind password_reset`;
    for (const minutes of [4, 6, 8, 9, 13]) await run(command, NOON + minutes * MINUTE_MS);
    expect(await mailTo(person.email)).toHaveLength(2);
  });

  test.each([
    ['verification', { emailVerified: true }, {}, 'the address is already verified'],
    ['welcome', { emailVerified: false }, {}, 'the address is not verified'],
    ['password_reset', { emailVerified: true }, { disabled: true }, 'the account is disabled'],
  ])('%s is refused where it makes no sense', async (kind, made, change, reason) => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp(made)]);
    await adminAuth().updateUser(person.uid, change);
    const response = await send(operator, person.uid, kind);
    expect(await errorOf(response)).toEqual({
      status: 409,
      error: `This mail cannot be sent: ${reason}.`,
      code: 'mail_not_possible',
    });
    expect(await mailTo(person.email)).toEqual([]);
    expect(await entriesBy(operator.uid)).toEqual([]);
  });

  test('takes no address from the request', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const body = { kind: 'password_reset', email: 'other@example.com' };
    expect((await ask(operator, 'POST', `/users/${person.uid}/mail`, body)).status).toBe(400);
  });

  test('is for operators only', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    expect((await send(person, other.uid, 'password_reset')).status).toBe(404);
    expect((await resend(person, 'some')).status).toBe(404);
    expect((await ask(person, 'GET', `/users/${other.uid}/mail`)).status).toBe(404);
  });
});

describe('a stored mail', () => {
  test('is listed with its state, the latest first, without its text', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const endTime = new Date('2026-05-01T10:00:00Z');
    const sent = await writeMail(person.email, { state: 'SUCCESS', endTime });
    const later = new Date(Date.now() + 31 * 24 * 60 * MINUTE_MS);
    const failed = await writeMail(
      person.email,
      { state: 'ERROR', error: '550 No such mailbox', startTime: endTime },
      { deleteAt: later, message: 'damaged' },
    );
    const response = await ask(operator, 'GET', `/users/${person.uid}/mail`);
    const at = endTime.toISOString();
    expect(await response.json()).toEqual({
      mail: [
        { id: failed, subject: null, state: 'ERROR', attempts: 1, error: '550 No such mailbox', at },
        { id: sent, subject: 'Your receipt', state: 'SUCCESS', attempts: 1, error: null, at },
      ],
    });
    expect(await run(`users mail ${person.email}`)).toMatchObject([{ id: failed }, { id: sent }]);
  });

  test('that failed is due immediately, only once for repeated requests, and recorded for its recipient', async () => {
    const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
    const id = await writeMail(person.email, { state: 'ERROR', error: 'Connection lost' });
    const answers = await Promise.all([1, 2, 3].map(() => resend(operator, id)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const { state, dueTime } = await deliveryOf(id);
    expect(state).toBe('RETRY');
    expect((dueTime as { toMillis: () => number }).toMillis()).toBeLessThanOrEqual(Date.now());
    expect(await entriesBy(operator.uid)).toMatchObject([
      { action: 'admin.mail_resent', target: person.uid, details: { mail: id } },
    ]);
    const stored = await adminFirestore().doc(`mail/${id}`).get();
    expect(stored.get('to')).toEqual([person.email]);
  });

  test.each(['welcome-UID', 'operator-password_reset-UID-5943210'])(
    'with the id %s is recorded for the user in the id if nobody has the address any more',
    async (name) => {
      const operator = await signUpOperator();
      const uid = crypto.randomUUID();
      const id = name.replace('UID', uid);
      await adminFirestore()
        .doc(`mail/${id}`)
        .set({ to: [`${uid}@example.com`], message: {}, delivery: { attempts: 1, state: 'ERROR' } });
      expect((await resend(operator, id)).status).toBe(204);
      expect(await entriesBy(operator.uid)).toMatchObject([{ target: uid, details: { mail: id } }]);
    },
  );

  test('that was sent is sent again after five minutes only', async () => {
    const id = await writeMail('ann@example.com', { state: 'SUCCESS', endTime: new Date(NOON) });
    await run(`mail resend ${id}`, NOON + 4 * MINUTE_MS);
    expect(await deliveryOf(id)).toMatchObject({ state: 'SUCCESS' });
    await run(`mail resend ${id}`, NOON + 6 * MINUTE_MS);
    expect(await deliveryOf(id)).toMatchObject({ state: 'RETRY', endTime: null });
  });

  test.each(['PENDING', 'PROCESSING', 'RETRY'])('in the state %s is left alone', async (state) => {
    const operator = await signUpOperator();
    const id = await writeMail('ann@example.com', { state });
    expect((await resend(operator, id)).status).toBe(204);
    expect(await deliveryOf(id)).toEqual({ state, attempts: 1 });
    expect(await entriesBy(operator.uid)).toEqual([]);
  });

  test('that others requested is refused if its recipient has stopped such mail', async () => {
    const [operator, owner] = await Promise.all([signUpOperator(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    const email = `${crypto.randomUUID()}@example.com`;
    await inviteTo(app.url, owner, teamId, email);
    const mail = adminFirestore().collection('mail').where('to', '==', [email]);
    const [stored] = (await mail.get()).docs;
    await stored?.ref.update({ 'delivery.state': 'ERROR' });
    const recipient = adminFirestore().doc(`mailRecipients/${recipientIdOf(email)}`);
    await recipient.update({ optedOutAt: new Date() });
    const response = await resend(operator, stored?.id ?? '');
    expect((await errorOf(response)).error).toContain('the recipient has stopped such mail');
    expect(await deliveryOf(stored?.id ?? '')).toMatchObject({ state: 'ERROR' });
    await recipient.update({ optedOutAt: null });
    expect((await resend(operator, stored?.id ?? '')).status).toBe(204);
  });

  test.each(['unknown', '..'])('with the id %s is not found', async (id) => {
    const response = await resend(await signUpOperator(), encodeURIComponent(id));
    expect(response.status).toBe(404);
    await expect(run(`mail resend ${id}`)).rejects.toThrow('There is no such mail.');
  });
});

test('the command names the kinds of mail', async () => {
  const { uid } = await signUp();
  await expect(run(`users send-mail ${uid} --kind receipt`)).rejects.toThrow(
    '--kind is one of verification, password_reset, welcome',
  );
});
