import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHearthClient, everyItem, type HearthClient } from '../client/src/index.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { png } from './support/files.ts';
import { signUp, type Person } from './support/people.ts';
import { visit } from './support/requests.ts';

let app: AppUnderTest;
let people: [Person, Person];
let owner: HearthClient;
let guest: HearthClient;
beforeAll(async () => {
  app = await serveApp();
  people = await Promise.all([signUp(), signUp()]);
  const clientOf = ({ idToken }: Person) =>
    createHearthClient({ baseUrl: app.url, idToken: () => Promise.resolve(idToken) });
  owner = clientOf(people[0]);
  guest = clientOf(people[1]);
});
afterAll(() => app[Symbol.asyncDispose]());

test('two people create a team together, and the audit log has it', async () => {
  const [{ email }, { uid, bearer, email: guestEmail }] = people;
  expect(await owner.account.session()).toMatchObject({ user: { email }, teams: [], plan: 'free' });
  const { id } = await owner.teams.create({ name: 'Acme' });
  const sent = await owner.invitations.send(id, guestEmail, 'member');
  expect((await owner.invitations.list(id)).items).toMatchObject([{ id: sent.id, status: 'pending' }]);

  const [invitation] = (await guest.invitations.mine()).items;
  expect(invitation).toMatchObject({ id: sent.id, teamName: 'Acme' });
  expect((await visit(guest.invitations.acceptUrl(sent.id), bearer)).status).toBe(303);

  expect(await owner.teams.changeRole(id, uid, 'admin')).toMatchObject({ uid, role: 'admin' });
  await owner.teams.change(id, { name: 'Acme Ltd' });
  expect(await guest.teams.get(id)).toMatchObject({ name: 'Acme Ltd', role: 'admin' });
  const actions: string[] = [];
  const entries = everyItem((options) => owner.teams.audit(id, options), { limit: 2 });
  for await (const { action } of entries) actions.unshift(action);
  expect(actions).toEqual([
    'team.created',
    'invitation.created',
    'invitation.accepted',
    'member.role_changed',
    'team.updated',
  ]);
  await owner.teams.delete(id);
  expect((await owner.teams.list()).items).toEqual([]);
});

test('several people are invited, and each has its own result', async () => {
  const { id } = await owner.teams.create({ name: 'Many' });
  const results = await owner.invitations.sendAll(id, [
    { email: 'one@example.com', role: 'member' },
    { email: 'nobody', role: 'member' },
  ]);
  expect(results.map(({ status }) => status)).toEqual([201, 400]);
});

test('a file is stored, and a file of another kind is refused', async () => {
  const file = new File([new Uint8Array(png())], 'a.png');
  expect(await owner.uploads.send(file)).toMatchObject({ name: 'a.png', contentType: 'image/png' });
  await owner.uploads.send(file, { visibility: 'private' });
  const { items } = await owner.uploads.list();
  expect(items.map(({ visibility }) => visibility)).toEqual(['private', 'public']);
  await expect(owner.uploads.send(new File(['x'], 'a.exe'))).rejects.toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
  });
});

test('an account is deleted', async () => {
  await guest.account.delete();
  expect(await guest.account.session()).toBeUndefined();
});
