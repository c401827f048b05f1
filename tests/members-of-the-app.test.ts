import { beforeAll, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // A Firestore of its own: in the stack's, the deployed trigger cleans up.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

test.each([
  [
    'the fields of a member of a team',
    { role: 'member', email: null, displayName: null, joinedAt: new Date() },
  ],
  ['other fields', { level: 7 }],
])('a collection of the app named members, with %s, changes nothing for its user', async (_case, fields) => {
  const person = await signUp();
  const { uid, bearer } = person;
  await startSession(app.url, person);
  const document = adminFirestore().doc(`projects/${uid}/members/${uid}`);
  await document.set({ uid, ...fields });

  const renamed = await call('PATCH', `${app.url}/api/auth/user`, {
    headers: bearer,
    json: { displayName: 'Ada' },
  });
  expect(renamed.status).toBe(200);
  const teams = await call('GET', `${app.url}/api/auth/teams`, { headers: bearer });
  expect(await teams.json()).toMatchObject({ teams: [] });

  const email = `new-${person.email}`;
  await adminAuth().updateUser(uid, { email, emailVerified: true });
  const again = await signIn({ ...person, email });
  await startSession(app.url, again);

  const deleted = await call('DELETE', `${app.url}/api/auth/user`, { headers: again.bearer });
  expect(deleted.status).toBe(204);
  await cleanUpAccount(app.backend, { uid });
  expect((await adminFirestore().doc(`users/${uid}`).get()).exists).toBe(false);
  expect((await document.get()).data()).toMatchObject({ uid, ...('level' in fields && fields) });
});
