import { randomInt, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { createProfile } from '../functions/src/account/user.service.ts';
import { removeMember } from '../functions/src/teams/members/member.service.ts';
import { BRAND } from '../shared/src/brand.ts';
import { accountLinkTo, mailsTo, openLink } from './support/account-mail.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  adminAuth,
  adminFirestore,
  signIn,
  signInByCustomToken,
  signUp,
  signUpByPhone,
  startSession,
  type Person,
} from './support/people.ts';
import { call, errorOf, freshAddress } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { addMember, createTeam, inviteTo } from './support/teams.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const subjectsTo = async (email: string) =>
  (await mailsTo(email)).map(({ message }) => message.subject).sort();

const post = (path: string, json: object, headers = {}) =>
  call('POST', `${app.url}/api/auth/${path}`, { headers, json });

const somePhoneNumber = () => `+1${randomInt(2_000_000_000, 9_999_999_999)}`;

/** Makes a shared invitation, with which a new user joins the team. */
async function joinByLink(sender: Person, teamId: string): Promise<void> {
  const made = await post(`teams/${teamId}/invitations/link`, { role: 'member' }, sender.bearer);
  const { acceptUrl } = (await made.json()) as { acceptUrl: string };
  const link = new URL(acceptUrl).searchParams.get('invitationId');
  const joined = await post(`invitations/${link}/accept`, {}, (await signUpByPhone()).bearer);
  expect(joined.status).toBe(200);
}

describe('the mail to verify an address', () => {
  const ask = (person: Person, json = {}) => post('verification-mail', json, person.bearer);
  const askAt = async ({ url }: AppUnderTest, { bearer }: Person) => {
    const headers = { ...bearer, 'X-Forwarded-For': freshAddress() };
    return (await call('POST', `${url}/api/auth/verification-mail`, { headers, json: {} })).status;
  };

  test("leads to the app's own page, whose code verifies the address", async () => {
    const person = await signUp({ emailVerified: false });
    expect((await ask(person, { continueTo: '/dashboard?a=b' })).status).toBe(204);
    const link = await accountLinkTo(person.email);
    expect(link.origin + link.pathname).toBe(`${app.backend.config.appUrl}/auth/action`);
    expect(link.searchParams.get('mode')).toBe('verifyEmail');
    expect(link.searchParams.get('continueUrl')).toBe(`${app.backend.config.appUrl}/dashboard?a=b`);
    expect((await openLink(link, 'update')).status).toBe(200);
    expect((await adminAuth().getUser(person.uid)).emailVerified).toBe(true);
  });

  test('is not sent for a verified address', async () => {
    const person = await signUp();
    expect((await ask(person)).status).toBe(204);
    expect(await mailsTo(person.email)).toEqual([]);
  });

  test('is refused to an account without an address', async () => {
    const { uid } = await adminAuth().createUser({ phoneNumber: `+1555${Date.now() % 10_000_000}` });
    const answer = await errorOf(await ask(await signInByCustomToken(uid)));
    expect(answer).toMatchObject({ status: 409, code: 'email_missing' });
  });

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', '', '/api/auth/checkout/pro'])(
    'does not continue at "%s"',
    async (continueTo) => {
      const answer = await errorOf(await ask(await signUp({ emailVerified: false }), { continueTo }));
      expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );

  test('is sent to one account only some times in an hour', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 2 } });
    const person = await signUp({ emailVerified: false });
    const url = `${limited.url}/api/auth/verification-mail`;
    const headers = { ...person.bearer, 'X-Forwarded-For': freshAddress() };
    const answers = [];
    for (let count = 0; count < 3; count++) {
      answers.push((await call('POST', url, { headers, json: {} })).status);
    }
    expect(answers).toEqual([204, 204, 429]);
  });

  test('is limited for each address, also if it has a new account', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const first = await signUp({ emailVerified: false });
    expect(await askAt(limited, first)).toBe(204);
    await adminAuth().deleteUser(first.uid);
    expect(await askAt(limited, await signUp({ email: first.email, emailVerified: false }))).toBe(429);
    expect(await askAt(limited, await signUp({ emailVerified: false }))).toBe(204);
  });

  test('is limited for all other spellings of a mailbox together, and not for the mailbox itself', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const name = randomUUID();
    const asked = [];
    for (const local of [`${name}+1`, `${name}+2`, name]) {
      asked.push(await askAt(limited, await signUp({ email: `${local}@example.com`, emailVerified: false })));
    }
    expect(asked).toEqual([204, 429, 204]);
  });

  test('is limited for each IP address', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const from = { 'X-Forwarded-For': freshAddress() };
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      const { bearer } = await signUp({ emailVerified: false });
      const headers = { ...bearer, ...from };
      const url = `${limited.url}/api/auth/verification-mail`;
      statuses.push((await call('POST', url, { headers, json: {} })).status);
    }
    expect(statuses.filter((status) => status !== 204)).toEqual([429]);
  });
});

describe('a new user is welcomed', () => {
  test('once, if the sign-in provider has verified the address', async () => {
    const person = await signUp();
    await Promise.all([createProfile(app.backend, person.uid), createProfile(app.backend, person.uid)]);
    await createProfile(app.backend, person.uid);
    expect(await subjectsTo(person.email)).toEqual([`Welcome to ${BRAND.name}`]);
  });

  test('not at an address that anybody could have entered', async () => {
    const person = await signUp({ emailVerified: false });
    await createProfile(app.backend, person.uid);
    expect(await mailsTo(person.email)).toEqual([]);
  });
});

/** A team with a member who had a session, and whose address has changed at Firebase Auth since. */
async function memberWithNewAddress() {
  const [owner, ann] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(app.url, owner, 'Lighthouse');
  await addMember(teamId, ann, 'member');
  await startSession(app.url, ann);
  const email = `${randomUUID()}@example.com`;
  await adminAuth().updateUser(ann.uid, { email, emailVerified: true });
  return { owner, ann, email, teamId };
}

describe('members', () => {
  test('the sender of an invitation is mailed when it is accepted, and not when it is rejected', async () => {
    const [owner, ann, ben] = await Promise.all([signUp(), signUp({ displayName: 'Ann <b>' }), signUp()]);
    const teamId = await createTeam(app.url, owner, 'Lighthouse');
    const { id } = await inviteTo(app.url, owner, teamId, ann.email);
    const { id: other } = await inviteTo(app.url, owner, teamId, ben.email);
    await post(`invitations/${id}/accept`, {}, ann.bearer);
    await post(`invitations/${other}/reject`, {}, ben.bearer);
    const [mail, ...more] = await mailsTo(owner.email);
    expect(mail?.message.subject).toBe('Ann <b> joined Lighthouse');
    expect(mail?.message.html).toContain('Ann &lt;b&gt;');
    expect(more).toEqual([]);
  });

  test('the sender is not mailed at an address that they have not verified', async () => {
    const founder = await signUp({ emailVerified: false });
    const teamId = await createTeam(app.url, founder, 'Lighthouse');
    await adminAuth().updateUser(founder.uid, { phoneNumber: somePhoneNumber() });
    await joinByLink(founder, teamId);
    expect(await mailsTo(founder.email)).toEqual([]);
  });

  test('the sender is mailed at an address that they have verified after they founded the team', async () => {
    const [founder, ann] = await Promise.all([signUp({ emailVerified: false }), signUp()]);
    const teamId = await createTeam(app.url, founder, 'Lighthouse');
    await adminAuth().updateUser(founder.uid, { emailVerified: true });
    const { id } = await inviteTo(app.url, founder, teamId, ann.email);
    await post(`invitations/${id}/accept`, {}, ann.bearer);
    expect(await subjectsTo(founder.email)).toHaveLength(1);
  });

  test('a sender who no longer has the address of the membership is not mailed there', async () => {
    const [owner, sender] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner, 'Lighthouse');
    await addMember(teamId, sender, 'admin');
    const email = `${randomUUID()}@example.com`;
    const phoneNumber = somePhoneNumber();
    await adminAuth().updateUser(sender.uid, { email, emailVerified: false, phoneNumber });
    await joinByLink(await signIn({ ...sender, email }), teamId);
    expect(await mailsTo(sender.email)).toEqual([]);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('the member who sends an invitation again is mailed at the address that they have now', async () => {
    const [owner, sender, ann] = await Promise.all([signUp(), signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner, 'Lighthouse');
    await addMember(teamId, sender, 'admin');
    const email = `${randomUUID()}@example.com`;
    await adminAuth().updateUser(sender.uid, { email, emailVerified: true });
    await using patient = await serveApp({ config: { invitationPauseMinutes: 0 } });
    const { id } = await inviteTo(patient.url, owner, teamId, ann.email);
    const resend = `${patient.url}/api/auth/teams/${teamId}/invitations/${id}/resend`;
    const { bearer } = await signIn({ ...sender, email });
    expect((await call('POST', resend, { headers: bearer })).status).toBe(200);
    await post(`invitations/${id}/accept`, {}, ann.bearer);
    expect(await mailsTo(sender.email)).toEqual([]);
    expect(await subjectsTo(email)).toHaveLength(1);
  });

  test('a member who is removed is mailed at the address of their latest sign-in', async () => {
    const { owner, ann, email, teamId } = await memberWithNewAddress();
    await startSession(app.url, await signIn({ ...ann, email }));
    await removeMember(app.backend, owner, { teamId, uid: ann.uid });
    expect(await mailsTo(ann.email)).toEqual([]);
    expect(await subjectsTo(email)).toEqual(['You are no longer a member of Lighthouse']);
  });

  test.each<[change: string, method: string, path: string, json: object | undefined]>([
    ['changes the profile', 'PATCH', 'user', { displayName: 'Ann' }],
    ['signs out everywhere', 'DELETE', 'session?everywhere=true', undefined],
  ])('a member who %s after a change of address has it in the team', async (_change, method, path, json) => {
    const { ann, email, teamId } = await memberWithNewAddress();
    const { bearer } = await signIn({ ...ann, email });
    const response = await call(method, `${app.url}/api/auth/${path}`, {
      headers: bearer,
      ...(json && { json }),
    });
    expect(response.status).toBeLessThan(300);
    const membership = await adminFirestore().doc(`teams/${teamId}/members/${ann.uid}`).get();
    expect(membership.get('email')).toBe(email);
  });

  test('a member who is removed is mailed, and one who leaves is not', async () => {
    const [owner, ann, ben] = await Promise.all([signUp(), signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner, 'Lighthouse');
    for (const person of [ann, ben]) await addMember(teamId, person, 'member');
    await removeMember(app.backend, owner, { teamId, uid: ann.uid });
    await removeMember(app.backend, ben, { teamId, uid: ben.uid });
    expect(await subjectsTo(ann.email)).toEqual(['You are no longer a member of Lighthouse']);
    expect(await mailsTo(ben.email)).toEqual([]);
  });
});

describe('a deleted account', () => {
  const deleteUser = ({ bearer }: Person) => call('DELETE', `${app.url}/api/auth/user`, { headers: bearer });

  test('is confirmed by one mail, which is kept for two days and survives the clean-up', async () => {
    const person = await signUp();
    await createProfile(app.backend, person.uid);
    expect((await deleteUser(person)).status).toBe(204);
    await deleteUser(person);
    await cleanUpAccount(app.backend, { uid: person.uid, email: person.email, emailVerified: true });
    const mails = await mailsTo(person.email);
    expect(mails.map(({ message }) => message.subject)).toEqual([`Your account at ${BRAND.name} is deleted`]);
    const days = ((mails[0]?.deleteAt.toMillis() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeLessThanOrEqual(2);
  });

  test('is not confirmed to an address that was not verified', async () => {
    const person = await signUp({ emailVerified: false });
    expect((await deleteUser(person)).status).toBe(204);
    expect(await mailsTo(person.email)).toEqual([]);
  });
});

test('the settings turn each kind of mail off, and choose the language', async () => {
  const config = { mailWelcome: false, mailJoined: false, mailRemoved: false, mailAccountDeleted: false };
  await using quiet = await serveApp({ config: { ...config, mailLanguage: 'de' } });
  const [owner, ann] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(quiet.url, owner, 'Leuchtturm');
  await createProfile(quiet.backend, ann.uid);
  const { id } = await inviteTo(quiet.url, owner, teamId, ann.email);
  await call('POST', `${quiet.url}/api/auth/invitations/${id}/accept`, { headers: ann.bearer });
  await removeMember(quiet.backend, owner, { teamId, uid: ann.uid });
  expect(await mailsTo(owner.email)).toEqual([]);
  expect(await subjectsTo(ann.email)).toEqual([expect.stringMatching(/lädt Sie zu Leuchtturm ein$/)]);
});
