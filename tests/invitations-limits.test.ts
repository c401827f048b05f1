import { beforeEach, describe, expect, test } from 'vitest';
import { newAddress, useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { createTeam, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

const MINUTE = 60_000;

let now: number;
const service = useInvitations({
  config: { invitationPauseMinutes: 60, invitationsPerRecipientPerDay: 3 },
  backend: { now: () => new Date(now) },
});
beforeEach(() => {
  now = Date.now();
});

const path = (teamId: string, rest = '') => `${service.url}/api/auth/teams/${teamId}/invitations${rest}`;

const invite = (teamId: string, json: object, person = service.owner) =>
  call('POST', path(teamId), { headers: person.bearer, json });

const resend = (teamId: string, id: string) =>
  call('POST', path(teamId, `/${id}/resend`), { headers: service.owner.bearer });

async function roomyTeam(person = service.owner): Promise<string> {
  const teamId = await createTeam(service.url, person);
  await setSeatLimit(teamId, 100);
  return teamId;
}

async function refusalOf(
  response: Response,
): Promise<[status: number, code: string | undefined, seconds: number]> {
  const seconds = Number(response.headers.get('retry-after'));
  const { status, code } = await errorOf(response);
  return [status, code, seconds];
}

describe('the pause between two mails of an invitation', () => {
  test('refuses to resend for an hour, and the answer has the seconds that are left', async () => {
    const email = newAddress();
    const teamId = await roomyTeam();
    const { id, expiresAt } = await service.invite(teamId, email);
    expect(await refusalOf(await resend(teamId, id))).toEqual([429, 'resend_too_soon', 3600]);
    now += 59 * MINUTE + 500;
    expect(await refusalOf(await resend(teamId, id))).toEqual([429, 'resend_too_soon', 60]);
    expect(await mailTo(email)).toHaveLength(1);
    const stored = await adminFirestore().doc(`invitations/${id}`).get();
    expect((stored.get('expiresAt') as { toDate: () => Date }).toDate().toISOString()).toBe(expiresAt);
    now += MINUTE;
    expect((await resend(teamId, id)).status).toBe(200);
    expect(await refusalOf(await resend(teamId, id))).toEqual([429, 'resend_too_soon', 3600]);
    expect(await mailTo(email)).toHaveLength(2);
  });

  test('allows one of many concurrent resends', async () => {
    const email = newAddress();
    const teamId = await roomyTeam();
    const { id } = await service.invite(teamId, email);
    now += 61 * MINUTE;
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(teamId, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(429)]);
    expect(await mailTo(email)).toHaveLength(2);
  });

  test('also refuses to invite again in another role, or after the invitation was cancelled', async () => {
    const email = newAddress();
    const teamId = await roomyTeam();
    const { id } = await service.invite(teamId, email);
    const asAdmin = { email, role: 'admin' };
    expect(await refusalOf(await invite(teamId, asAdmin))).toEqual([429, 'resend_too_soon', 3600]);
    expect((await call('DELETE', path(teamId, `/${id}`), { headers: service.owner.bearer })).status).toBe(
      204,
    );
    expect(await refusalOf(await invite(teamId, { email, role: 'member' }))).toEqual([
      429,
      'resend_too_soon',
      3600,
    ]);
    expect(await mailTo(email)).toHaveLength(1);
    now += 61 * MINUTE;
    expect((await invite(teamId, asAdmin)).status).toBe(201);
  });

  test('refuses one of several addresses, which takes no seat', async () => {
    const teamId = await roomyTeam();
    const [paused, fresh] = [newAddress(), newAddress()];
    const { id } = await service.invite(teamId, paused);
    await call('DELETE', path(teamId, `/${id}`), { headers: service.owner.bearer });
    await setSeatLimit(teamId, 2);
    const response = await invite(teamId, { emails: [paused, fresh], role: 'member' });
    expect(await response.json()).toMatchObject({
      results: [
        { email: paused, status: 429, code: 'resend_too_soon' },
        { email: fresh, status: 201 },
      ],
    });
  });

  test('does not affect another team or a request that is answered with the open invitation', async () => {
    const email = newAddress();
    const teamId = await roomyTeam();
    await service.invite(teamId, email);
    expect((await invite(teamId, { email, role: 'member' })).status).toBe(200);
    await service.invite(await roomyTeam(), email);
  });
});

describe('the limit of a mailbox', () => {
  test('counts all teams and senders, and starts again after a day', async () => {
    const email = newAddress();
    const other = await signUp();
    const teams = await Promise.all([roomyTeam(), roomyTeam(), roomyTeam(other), roomyTeam(other)]);
    for (const [index, teamId] of teams.slice(0, 3).entries()) {
      await inviteTo(service.url, index < 2 ? service.owner : other, teamId, email);
    }
    const [, , , last] = teams;
    expect(await refusalOf(await invite(last, { email, role: 'member' }, other))).toEqual([
      429,
      'recipient_limit',
      86_400,
    ]);
    expect(await mailTo(email)).toHaveLength(3);
    await inviteTo(service.url, other, last, newAddress());
    now += 24 * 60 * MINUTE;
    expect((await invite(last, { email, role: 'member' }, other)).status).toBe(201);
  });

  test('counts all spellings of its address, also within one request', async () => {
    const name = crypto.randomUUID();
    const spellings = ['@gmail.com', '+1@gmail.com', '+2@googlemail.com', '+3@gmail.com', '.x@gmail.com'];
    const emails = spellings.map((rest) => name + rest);
    const response = await invite(await roomyTeam(), { emails, role: 'member' });
    const { results } = (await response.json()) as { results: { status: number; code?: string }[] };
    expect(results.map(({ status }) => status)).toEqual([201, 201, 201, 429, 201]);
    expect(results[3]).toMatchObject({ code: 'recipient_limit' });
    const again = await invite(await roomyTeam(), {
      email: `${name.replace('-', '.-')}@gmail.com`,
      role: 'member',
    });
    expect(await refusalOf(again)).toEqual([429, 'recipient_limit', 86_400]);
  });

  test('is not exceeded by concurrent requests of several teams', async () => {
    const email = newAddress();
    const teams = await Promise.all(Array.from({ length: 6 }, () => roomyTeam()));
    const answers = await Promise.all(teams.map((teamId) => invite(teamId, { email, role: 'member' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
    expect(await mailTo(email)).toHaveLength(3);
  });

  test('is stored without the address', async () => {
    const email = newAddress();
    await service.invite(await roomyTeam(), email);
    const { docs } = await adminFirestore().collection('mailRecipients').get();
    expect(docs.length).toBeGreaterThan(0);
    expect(JSON.stringify(docs.map((found) => [found.id, found.data()]))).not.toContain('@');
  });
});
