import { beforeAll, expect, test } from 'vitest';
import { sessionId } from '../functions/src/auth/cookies.ts';
import { loadHashFunction } from '../functions/src/personal-data/keyed-hash.ts';
import { APP_URL } from './support/config.ts';
import type { Cost } from './support/cost.ts';
import { formWith, png } from './support/files.ts';
import { useMeteredApp } from './support/metered-app.ts';
import { adminAuth, signIn as signInAgain, signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

/**
 * The table "Reads and writes by route" of docs/data-model.md; teams and invitations have their own test. Each request
 * is counted twice: by the local Firestore, and by the backend for the log.
 */
const { app, firestore } = useMeteredApp();
beforeAll(async () => {
  await loadHashFunction(app.backend.db, new Date());
});

const visitAs = (person: Person, path: string) => visit(`${app.url}/api/auth/${path}`, person.bearer);
const session = (person: Person) => call('GET', `${app.url}/api/auth/session`, { headers: person.bearer });

/** Pays for the pro plan, and waits until the webhooks have arrived. */
async function subscribe(person: Person): Promise<void> {
  const checkout = locationOf(await visitAs(person, 'checkout/pro'));
  await fetch(checkout, { method: 'POST', redirect: 'manual' });
  await app.stripe.idle();
}

/** Founds a team and signs in, and then changes the address in Firebase Auth. */
const changeAddress: Prepare = async (person) => {
  await createTeam(app.url, person);
  await signIn(person);
  const email = `new-${person.email}`;
  await adminAuth().updateUser(person.uid, { email });
  // Firebase Auth revokes the former tokens.
  Object.assign(person, await signInAgain({ ...person, email }));
};

type Prepare = (person: Person) => Promise<unknown>;
type Request = (person: Person) => Promise<Response>;

const nothing: Prepare = () => Promise.resolve();
const checkout: Request = (person) => visitAs(person, 'checkout/pro');
const portal: Request = (person) => visitAs(person, 'portal');
/** The cookie of the last sign-in, and our own origin. */
let byCookie: Record<string, string> = {};
const signIn: Request = async (person) => {
  const response = await call('POST', `${app.url}/api/auth/session`, {
    headers: { Origin: APP_URL },
    json: { idToken: person.idToken },
  });
  byCookie = { Cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', Origin: APP_URL };
  return response;
};
const signOut: Request = () => call('DELETE', `${app.url}/api/auth/session`, { headers: byCookie });
const sessionByCookie: Request = () => call('GET', `${app.url}/api/auth/session`, { headers: byCookie });
const renameByCookie: Request = () =>
  call('PATCH', `${app.url}/api/auth/user`, { headers: byCookie, json: { displayName: 'Ada' } });
const endSession: Request = ({ bearer: headers }) =>
  call('DELETE', `${app.url}/api/auth/sessions/${sessionId(byCookie['Cookie']?.slice(10) ?? '')}`, {
    headers,
  });
const upload: Request = (person) =>
  call('POST', `${app.url}/api/upload`, { headers: person.bearer, body: formWith(png(), 'a.png') });
const rename: Request = ({ bearer: headers }) =>
  call('PATCH', `${app.url}/api/auth/user`, { headers, json: { displayName: 'Ada' } });
const sessions: Request = ({ bearer }) => call('GET', `${app.url}/api/auth/sessions`, { headers: bearer });
const exportUser: Request = ({ bearer }) =>
  call('GET', `${app.url}/api/auth/user/export`, { headers: bearer });
const deleteUser: Request = ({ bearer }) => call('DELETE', `${app.url}/api/auth/user`, { headers: bearer });
const signInAndUpload: Prepare = async (person) => {
  await signIn(person);
  await upload(person);
};
const uploads = (method: string, path: string, person: Person) =>
  call(method, `${app.url}/api/uploads${path}`, { headers: person.bearer });
/** The id of the last upload, which the preparation of a test has made. */
let uploadId = '';
const uploaded: Prepare = async (person) => {
  uploadId = (await upload(person)).headers.get('X-Upload-Id') ?? '';
};
const uploadedTwice: Prepare = async (person) => {
  await upload(person);
  await upload(person);
};
const health: Request = () => call('GET', `${app.url}/api/health`);

test.each<[string, Prepare, Request, Partial<Cost>]>([
  ['the health check', nothing, health, {}],
  ['the first sign-in', nothing, signIn, { reads: 3, writes: 4 }],
  ['a later sign-in', signIn, signIn, { reads: 3, writes: 3 }],
  ['a sign-in of a member of one team with a new address', changeAddress, signIn, { reads: 7, writes: 5 }],
  ['the list of one session', signIn, sessions, { reads: 1 }],
  [
    'a new name of a member of one team',
    (person) => createTeam(app.url, person),
    rename,
    { reads: 3, writes: 2 },
  ],
  [
    'deleting a user with a session and an upload',
    signInAndUpload,
    deleteUser,
    { reads: 46, writes: 2, deletes: 6 },
  ],
  ['an export of hardly anything', nothing, exportUser, { reads: 23, writes: 1 }],
  ['an export with two own files', uploadedTwice, exportUser, { reads: 24, writes: 1 }],
  ['signing out', signIn, signOut, { deletes: 1 }],
  ['ending one session', signIn, endSession, { deletes: 1 }],
  ['the session of a new user by cookie', signIn, sessionByCookie, { reads: 3 }],
  ['a new name by cookie', signIn, renameByCookie, { reads: 4, writes: 1 }],
  ['the session of a new user', nothing, session, { reads: 2 }],
  ['the session of a member of one team', (person) => createTeam(app.url, person), session, { reads: 3 }],
  ['the session of a subscriber', subscribe, session, { reads: 2 }],
  ['the first checkout', nothing, checkout, { reads: 6, writes: 6 }],
  ['a continued checkout', checkout, checkout, { reads: 3, writes: 1 }],
  ['the first visit to the portal', nothing, portal, { reads: 5, writes: 4 }],
  ['a later visit to the portal', portal, portal, { reads: 3, writes: 1 }],
  ['an upload', signIn, upload, { reads: 5, writes: 4 }],
  ['an upload of a user without a profile', nothing, upload, { reads: 5, writes: 5 }],
  ['a list of one upload', uploaded, (person) => uploads('GET', '', person), { reads: 1 }],
  ['an upload described', uploaded, (person) => uploads('GET', `/${uploadId}`, person), { reads: 1 }],
  [
    'an upload revoked',
    uploaded,
    (person) => uploads('POST', `/${uploadId}/revoke`, person),
    { reads: 3, writes: 2 },
  ],
  [
    'an upload removed',
    uploaded,
    (person) => uploads('DELETE', `/${uploadId}`, person),
    { reads: 4, writes: 1, deletes: 1 },
  ],
])('%s', async (_what, prepare, request, cost) => {
  const person = await signUp();
  await prepare(person);
  const before = app.contract.seen.length;
  await firestore.expectCost(() => request(person), cost);
  // The line of the request in the log has the same counts as Firestore's bill.
  const answers = app.contract.seen.slice(before).filter(({ id }) => id !== 'receiveStripeEvent');
  const counted = answers.map(({ usage }) => usage);
  expect(counted).toEqual([expect.objectContaining({ reads: 0, writes: 0, deletes: 0, ...cost })]);
});
