import { beforeAll, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { NESTED_COLLECTIONS } from '../functions/src/firestore/collections.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { createTeam } from './support/teams.ts';

/** Collections that stay when their team or user is deleted, such as `teams/{}/invoices`, each with the reason. */
const KEPT: Readonly<Record<string, string>> = {};

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

/** The collections below a root collection that are deleted with their document. */
function purgedIn(root: string): string[] {
  const paths = Object.values(NESTED_COLLECTIONS).map(({ parent, group }) => `${parent}/{}/${group}`);
  return paths.filter((path) => path.startsWith(`${root}/`) && !Object.hasOwn(KEPT, path));
}

/** A collection of a team or user, with one document. */
async function filled(path: string, id: string) {
  const collection = adminFirestore().collection(path.replace('{}', id).replaceAll('{}', 'one'));
  await collection.add({});
  return collection;
}

test.each(purgedIn('teams'))('%s is empty after its team was deleted', async (path) => {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  const collection = await filled(path, teamId);
  const answer = await call('DELETE', `${app.url}/api/auth/teams/${teamId}`, { headers: owner.bearer });
  expect(answer.status, await answer.clone().text()).toBe(204);
  expect((await collection.get()).size).toBe(0);
});

test.each(purgedIn('users'))('%s is empty after its user was deleted', async (path) => {
  const person = await signUp();
  const { uid, email } = person;
  const collection = await filled(path, uid);
  const answer = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
  expect(answer.status, await answer.clone().text()).toBe(204);
  await cleanUpAccount(app.backend, { uid, email, emailVerified: true });
  expect((await collection.get()).size).toBe(0);
});
