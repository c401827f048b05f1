import { Timestamp } from 'firebase-admin/firestore';
import { beforeAll, describe, expect, test } from 'vitest';
import { BRAND } from '../shared/src/brand.ts';
import { newAddress, useInvitations } from './support/invitations.ts';
import { adminAuth, adminFirestore, signUp } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { createTeam, inviteTo, mailedLinks, mailTo } from './support/teams.ts';

const service = useInvitations();
beforeAll(async () => {
  await adminAuth().updateUser(service.owner.uid, { displayName: 'Ada <b>L</b>' });
});

describe('the mail of an invitation', () => {
  test('has the shape of the Trigger Email extension, with the links in both bodies', async () => {
    const email = newAddress();
    const teamId = await createTeam(service.url, service.owner, 'R&D <x>');
    const { acceptUrl, rejectUrl } = await service.invite(teamId, email, 'admin');
    const documents = await adminFirestore().collection('mail').where('to', '==', [email]).get();
    const subject = 'Ada <b>L</b> invites you to R&D <x>';
    expect(documents.docs.map((document) => document.data())).toEqual([
      {
        to: [email],
        sentBy: service.owner.uid,
        headers: expect.objectContaining({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }) as object,
        message: { subject, text: expect.any(String) as string, html: expect.any(String) as string },
        delivery: expect.objectContaining({ state: 'PENDING', attempts: 0 }) as object,
        deleteAt: expect.any(Timestamp) as Timestamp,
      },
    ]);
    const [message] = await mailTo(email);
    const { accept, reject } = await mailedLinks(email);
    const secret = accept.slice(acceptUrl.length + 1);
    expect(secret).toMatch(/^[0-9a-f]{40}$/);
    expect([accept, reject]).toEqual([`${acceptUrl}.${secret}`, `${rejectUrl}.${secret}`]);
    expect(message?.text).toContain(`"R&D <x>" at ${BRAND.name} as an admin`);
    expect(message?.html).toContain(`href="${accept}"`);
    expect(message?.html).toContain('R&amp;D &lt;x&gt;');
    expect(message?.html).not.toContain('<b>L</b>');
  });

  test('is written once for an invitation, and again when it is resent', async () => {
    const email = newAddress();
    const teamId = await service.newTeam();
    const { id } = await service.invite(teamId, email);
    const path = `${service.url}/api/auth/teams/${teamId}/invitations`;
    await call('POST', path, { headers: service.owner.bearer, json: { email, role: 'member' } });
    expect(await mailTo(email)).toHaveLength(1);
    await call('POST', `${path}/${id}/resend`, { headers: service.owner.bearer });
    const mail = await mailTo(email);
    expect(mail).toHaveLength(2);
    for (const { text } of mail) expect(text).toContain(id);
  });

  test('is not written for a refused invitation', async () => {
    const teamId = await service.newTeam();
    const emails = [newAddress(), newAddress(), newAddress()];
    const path = `${service.url}/api/auth/teams/${teamId}/invitations`;
    await call('POST', path, { headers: service.owner.bearer, json: { emails, role: 'member' } });
    expect(await Promise.all(emails.map(async (email) => (await mailTo(email)).length))).toEqual([1, 1, 0]);
  });
});

test('a user whose address is not verified can neither invite nor resend', async () => {
  const person = await signUp({ emailVerified: false });
  const teamId = await createTeam(service.url, person);
  const invitations = `${service.url}/api/auth/teams/${teamId}/invitations`;
  const email = newAddress();
  const invite = { headers: person.bearer, json: { email, role: 'member' } };
  expect(await errorOf(await call('POST', invitations, invite))).toMatchObject({
    status: 403,
    code: 'email_unverified',
  });
  const again = `${invitations}/${'0'.repeat(40)}/resend`;
  expect((await call('POST', again, { headers: person.bearer })).status).toBe(403);
  expect(await mailTo(email)).toEqual([]);
});

test('a name that is longer than the API allows is cut in the mail', async () => {
  const person = await signUp();
  await adminAuth().updateUser(person.uid, { displayName: 'x'.repeat(200) });
  const email = newAddress();
  await inviteTo(service.url, person, await createTeam(service.url, person), email);
  expect((await mailTo(email))[0]?.subject).toBe(`${'x'.repeat(100)} invites you to Acme`);
});
