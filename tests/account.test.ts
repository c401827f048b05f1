import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProfile } from '../functions/src/account/user.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, createTeam } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const change = (person: Person, json: unknown) =>
  call('PATCH', `${app.url}/api/auth/user`, { headers: person.bearer, json });

async function profileOf({ uid }: Person): Promise<Record<string, unknown> | undefined> {
  return (await adminFirestore().doc(`users/${uid}`).get()).data();
}

describe('the profile', () => {
  test('is created at the first sign-in and kept at the next one', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const profile = await profileOf(person);
    expect(profile).toMatchObject({
      email: person.email,
      displayName: null,
      photoURL: null,
      activeTeamId: null,
    });
    await adminFirestore().doc(`users/${person.uid}`).update({ displayName: 'Mine', activeTeamId: 'team' });
    await startSession(app.url, await signIn(person));
    expect(await profileOf(person)).toEqual({ ...profile, displayName: 'Mine', activeTeamId: 'team' });
  });

  test('is created for a new user without a session, and gets a name that is set a moment later', async () => {
    const person = await signUp();
    await Promise.all([createProfile(app.backend, person.uid), createProfile(app.backend, person.uid)]);
    expect(await profileOf(person)).toMatchObject({ email: person.email, displayName: null });
    await adminAuth().updateUser(person.uid, { displayName: 'Ada' });
    await startSession(app.url, person);
    expect(await profileOf(person)).toMatchObject({ displayName: 'Ada', photoURL: null });
  });

  test('is not created if the user was deleted before the event of the new user arrives', async () => {
    const person = await signUp();
    await adminAuth().deleteUser(person.uid);
    await createProfile(app.backend, person.uid);
    expect(await profileOf(person)).toBeUndefined();
  });

  test('is created once by many concurrent sign-ins', async () => {
    const person = await signUp();
    await Promise.all(Array.from({ length: 10 }, () => startSession(app.url, person)));
    expect(await profileOf(person)).toMatchObject({ email: person.email });
  });

  test('is created once by concurrent requests with ID tokens and the event of the new user', async () => {
    const person = await signUp();
    const found = (slug: string) =>
      call('POST', `${app.url}/api/auth/teams`, { headers: person.bearer, json: { name: 'Acme', slug } });
    const slugs = Array.from({ length: 5 }, (_, index) => `${index}-${person.uid.toLowerCase()}`);
    const [teams] = await Promise.all([
      Promise.all(slugs.map(found)),
      createProfile(app.backend, person.uid),
      startSession(app.url, person),
    ]);
    expect(teams.map(({ status }) => status)).toEqual(slugs.map(() => 201));
    expect(await profileOf(person)).toMatchObject({ email: person.email, emailVerified: true });
  });

  test('gets a new e-mail address at the next sign-in', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const email = `new-${person.email}`;
    await adminAuth().updateUser(person.uid, { email });
    await startSession(app.url, await signIn({ ...person, email }));
    expect(await profileOf(person)).toMatchObject({ email });
  });

  test('gives the memberships a new address at the first sign-in after it was verified', async () => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    const storedAddress = async () =>
      (await adminFirestore().doc(`teams/${teamId}/members/${person.uid}`).get()).get('email') as unknown;
    const email = `new-${person.email}`;
    await startSession(app.url, person);
    await adminAuth().updateUser(person.uid, { email, emailVerified: false });
    await startSession(app.url, await signIn({ ...person, email }));
    expect(await storedAddress()).toBeNull();
    await adminAuth().updateUser(person.uid, { emailVerified: true });
    await startSession(app.url, await signIn({ ...person, email }));
    expect(await storedAddress()).toBe(email);
  });

  test('gives a new address and a new name to each of many memberships', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const firestore = adminFirestore();
    const { uid, email: former } = person;
    const writer = firestore.bulkWriter();
    for (let index = 0; index < 520; index++) {
      const member = { uid, role: 'member', email: former, displayName: null, joinedAt: new Date() };
      void writer.create(firestore.doc(`teams/${uid}-${index}/members/${uid}`), member);
    }
    await writer.close();
    const email = `new-${former}`;
    await adminAuth().updateUser(uid, { email, emailVerified: true });
    const signedIn = await signIn({ ...person, email });
    await startSession(app.url, signedIn);
    expect((await change(signedIn, { displayName: 'Ada' })).status).toBe(200);
    const memberships = firestore.collectionGroup('members').where('uid', '==', uid);
    const { docs } = await memberships.get();
    const changed = docs.filter(
      (member) => member.get('email') === email && member.get('displayName') === 'Ada',
    );
    expect([docs.length, changed.length]).toEqual([520, 520]);
  });

  test('gives the memberships a new address although it is damaged itself', async () => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    await startSession(app.url, person);
    await adminFirestore().doc(`users/${person.uid}`).update({ createdAt: 'yesterday' });
    const email = `new-${person.email}`;
    await adminAuth().updateUser(person.uid, { email, emailVerified: true });
    await startSession(app.url, await signIn({ ...person, email }));
    const member = await adminFirestore().doc(`teams/${teamId}/members/${person.uid}`).get();
    expect(member.get('email')).toBe(email);
  });
});

describe('PATCH /api/auth/user', () => {
  test('changes name and picture in Firebase Auth and in the profile', async () => {
    const person = await signUp();
    const photoURL = 'https://example.com/me.png';
    const response = await change(person, { displayName: ' Ada Lovelace ', photoURL });
    expect([response.status, await response.json()]).toEqual([
      200,
      { uid: person.uid, email: person.email, emailVerified: true, displayName: 'Ada Lovelace', photoURL },
    ]);
    expect(await adminAuth().getUser(person.uid)).toMatchObject({ displayName: 'Ada Lovelace', photoURL });
    expect(await profileOf(person)).toMatchObject({ displayName: 'Ada Lovelace', photoURL });
  });

  test('changes the name in every team, and removes it', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teams = await Promise.all([createTeam(app.url, person), createTeam(app.url, owner)]);
    await addMember(teams[1], person, 'member');
    const names = async () =>
      Promise.all(
        teams.map(async (team) =>
          (await adminFirestore().doc(`teams/${team}/members/${person.uid}`).get()).data(),
        ),
      );
    await change(person, { displayName: 'Ada' });
    expect(await names()).toMatchObject([
      { displayName: 'Ada', role: 'owner' },
      { displayName: 'Ada', role: 'member' },
    ]);
    await change(person, { displayName: null });
    expect(await names()).toMatchObject([{ displayName: null }, { displayName: null }]);
    expect(
      (await adminFirestore().doc(`teams/${teams[1]}/members/${owner.uid}`).get()).get('displayName'),
    ).toBe(null);
  });

  test('keeps fields that are missing, and removes fields that are null', async () => {
    const person = await signUp();
    await change(person, { displayName: 'Ada', photoURL: 'https://example.com/me.png' });
    const response = await change(person, { photoURL: null });
    expect(await response.json()).toMatchObject({ displayName: 'Ada', photoURL: null });
    expect(await profileOf(person)).toMatchObject({ displayName: 'Ada', photoURL: null });
  });

  test.each([
    ['nothing to change', {}],
    ['an empty name', { displayName: ' ' }],
    ['a name of 101 characters', { displayName: 'x'.repeat(101) }],
    ['a name of two lines', { displayName: 'Ada\nBcc: all@example.com' }],
    ['a picture with an http address', { photoURL: 'http://example.com/me.png' }],
    ['a picture that is empty', { photoURL: '' }],
    ['a picture that is a path', { photoURL: '/me.png' }],
    ['a picture without a host', { photoURL: 'https://' }],
    ['a picture with a space in its host', { photoURL: 'https://exa mple.com' }],
    ['a picture with a javascript address', { photoURL: 'javascript:alert(1)' }],
    ['a picture with spaces in its address', { photoURL: 'https://example.com/a b.png' }],
    [
      'a picture with an address that Firebase Auth does not accept',
      { photoURL: 'https://example.com//a&b.png' },
    ],
    ['another e-mail address', { email: 'x@example.com' }],
    ['the verification of the e-mail address', { displayName: 'A', emailVerified: true }],
    ['another user', { displayName: 'A', uid: 'other' }],
    ['claims', { displayName: 'A', customClaims: { plan: 'business' } }],
  ])('answers 400 to %s', async (_change, json) => {
    expect(await errorOf(await change(await signUp(), json))).toMatchObject({ status: 400 });
  });

  test('is refused without a session, and with a cookie from another site', async () => {
    const url = `${app.url}/api/auth/user`;
    const json = { displayName: 'A' };
    const cookie = await startSession(app.url, await signUp());
    expect((await call('PATCH', url, { json })).status).toBe(401);
    expect(
      (await call('PATCH', url, { json, headers: { ...cookie, Origin: 'https://evil.example' } })).status,
    ).toBe(403);
    expect((await call('PATCH', url, { json, headers: { ...cookie, Origin: APP_URL } })).status).toBe(200);
  });
});
