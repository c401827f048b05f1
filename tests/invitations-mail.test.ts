import { Timestamp } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { createTeam, inviteTo, mailedLinks, mailTo } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
  await adminAuth().updateUser(owner.uid, { displayName: 'Ada <b>L</b>' });
});
afterAll(() => app[Symbol.asyncDispose]());

const address = () => `${crypto.randomUUID()}@example.com`;

describe('the mail of an invitation', () => {
  test('is a document of the Trigger Email extension, with the links in both forms', async () => {
    const email = address();
    const { acceptUrl, rejectUrl } = await inviteTo(
      app.url,
      owner,
      await createTeam(app.url, owner, 'R&D <x>'),
      email,
      'admin',
    );
    const documents = await adminFirestore().collection('mail').where('to', '==', [email]).get();
    const subject = 'Ada <b>L</b> invites you to R&D <x>';
    expect(documents.docs.map((document) => document.data())).toEqual([
      {
        to: [email],
        sentBy: owner.uid,
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
    expect(message?.text).toContain('"R&D <x>" as an admin');
    expect(message?.html).toContain(`href="${accept}"`);
    expect(message?.html).toContain('R&amp;D &lt;x&gt;');
    expect(message?.html).not.toContain('<b>L</b>');
  });

  test('is written once for each invitation, and again when it is resent', async () => {
    const email = address();
    const teamId = await createTeam(app.url, owner);
    const { id } = await inviteTo(app.url, owner, teamId, email);
    const path = `${app.url}/api/auth/teams/${teamId}/invitations`;
    await call('POST', path, { headers: owner.bearer, json: { email, role: 'member' } });
    expect(await mailTo(email)).toHaveLength(1);
    await call('POST', `${path}/${id}/resend`, { headers: owner.bearer });
    const mail = await mailTo(email);
    expect(mail).toHaveLength(2);
    for (const { text } of mail) expect(text).toContain(id);
  });

  test('is not written for an invitation that is refused', async () => {
    const teamId = await createTeam(app.url, owner);
    const emails = [address(), address(), address()];
    const path = `${app.url}/api/auth/teams/${teamId}/invitations`;
    await call('POST', path, { headers: owner.bearer, json: { emails, role: 'member' } });
    expect(await Promise.all(emails.map(async (email) => (await mailTo(email)).length))).toEqual([1, 1, 0]);
  });
});

test('a sender without a verified address can neither invite nor resend', async () => {
  const person = await signUp({ emailVerified: false });
  const teamId = await createTeam(app.url, person);
  const invitations = `${app.url}/api/auth/teams/${teamId}/invitations`;
  const email = address();
  const invite = { headers: person.bearer, json: { email, role: 'member' } };
  expect(await errorOf(await call('POST', invitations, invite))).toMatchObject({
    status: 403,
    code: 'email_unverified',
  });
  const again = `${invitations}/${'0'.repeat(40)}/resend`;
  expect((await call('POST', again, { headers: person.bearer })).status).toBe(403);
  expect(await mailTo(email)).toEqual([]);
});

test('a name that is longer than the API allows is cut', async () => {
  const person = await signUp();
  await adminAuth().updateUser(person.uid, { displayName: 'x'.repeat(200) });
  const email = address();
  await inviteTo(app.url, person, await createTeam(app.url, person), email);
  expect((await mailTo(email))[0]?.subject).toBe(`${'x'.repeat(100)} invites you to Acme`);
});
