import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { addCrowd, addMember, createTeam, inviteTo, setSeatLimit } from '../support/teams.ts';
import { useBrowser, type Visitor } from './support/browser.ts';
import { eventually, isFocused, isGone, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

async function visitTeam(person: Person, tab: string): Promise<Visitor> {
  const visitor = await visit(person);
  await visitor.page.goto(`/team/${tab}`);
  await visitor.page.getByRole('table').waitFor();
  return visitor;
}

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody').getByRole('row');

/** Adds members with names, as if they had joined after one another. */
async function addNamed(teamId: string, names: readonly string[], role = 'member'): Promise<void> {
  const firestore = adminFirestore();
  for (const [index, displayName] of names.entries()) {
    const uid = `${teamId}-${displayName}`;
    const email = `${displayName.toLowerCase().replace(' ', '.')}@team.example`;
    const joinedAt = new Date(Date.now() + index);
    await firestore.doc(`teams/${teamId}/members/${uid}`).create({ uid, role, email, displayName, joinedAt });
  }
}

test('a thousand members are shown by pages, each of which is read when it is opened', async () => {
  const owner = await signUp({ displayName: 'Ann Ash' });
  const teamId = await createTeam(urls.app, owner, 'Blaze');
  await addCrowd(teamId, 999);
  await setSeatLimit(teamId, 2_000);
  const visitor = await visit(owner);
  const { page } = visitor;
  let answers = '';
  page.on('response', (response) => {
    if (!response.url().includes('Firestore/Listen')) return;
    response.text().then(
      (text) => (answers += text),
      () => undefined,
    );
  });
  await page.goto('/team/members');
  await shows(page, 'Members 1 to 25 of 1000');
  await shows(page, '1000 of 2000 seats taken');
  expect(await rowsOf(page).count()).toBe(25);
  await visitor.inspect('team-members-pages');

  const next = page.getByRole('button', { name: 'Next members' });
  const previous = page.getByRole('button', { name: 'Previous members' });
  expect(await previous.getAttribute('aria-disabled')).toBe('true');
  await next.focus();
  await page.keyboard.press('Enter');
  await shows(page, 'Members 26 to 50 of 1000');
  await isFocused(next);
  await page.keyboard.press('Enter');
  await shows(page, 'Members 51 to 75 of 1000');
  await previous.press('Enter');
  await shows(page, 'Members 26 to 50 of 1000');
  const uids = new Set(answers.match(/crowd-\d+/g));
  expect(uids.size).toBeLessThan(100);
});

test('members are found by the beginning of their name or address, and filtered by role', async () => {
  const owner = await signUp({ displayName: 'Ann Ash' });
  const teamId = await createTeam(urls.app, owner, 'Birch');
  await setSeatLimit(teamId, 200);
  await addCrowd(teamId, 60);
  await addNamed(teamId, ['Bob Birch', 'Bonnie Beech', 'Carl Cedar']);
  await addNamed(teamId, ['Bodil Ek', 'Doris Elm'], 'admin');
  const visitor = await visitTeam(owner, 'members');
  const { page } = visitor;
  const search = page.getByLabel('Search');
  const status = page.locator('main [role=status]');

  await search.fill('bo');
  await status.getByText('3 members found').waitFor();
  expect(await rowsOf(page).locator('strong').allTextContents()).toEqual([
    'Bob Birch',
    'Bodil Ek',
    'Bonnie Beech',
  ]);
  await visitor.inspect('team-members-found');
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'admins' });
  await status.getByText('1 member found').waitFor();
  await search.fill('CARL.');
  await status.getByText('No member found').waitFor();
  await shows(page, 'No name and no address begins like this.');
  await visitor.inspect('team-members-not-found');
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'All roles' });
  await status.getByText('1 member found').waitFor();
  await rowsOf(page).locator('strong', { hasText: 'Carl Cedar' }).waitFor();
  await search.fill('');
  await status.getByText('Members 1 to 25 of 66').waitFor();
});

test('a page whose last member is removed gives way to the page before', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Cedar');
  await addCrowd(teamId, 24);
  await addNamed(teamId, ['Zoe Last']);
  const { page } = await visitTeam(owner, 'members');
  await press(page, 'Next members');
  await shows(page, 'Zoe Last');
  await press(page, 'Remove Zoe Last');
  await press(page, 'Remove from the team');
  await shows(page, 'Zoe Last is no longer a member.');
  await shows(page, '25 members');
  expect(await rowsOf(page).count()).toBe(25);
});

test('invitations are found by address and filtered by status', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Dune');
  await setSeatLimit(teamId, 50);
  const tag = crypto.randomUUID().slice(0, 8);
  const sent = [];
  for (const name of ['ann', 'bob', 'carl']) {
    sent.push(await inviteTo(urls.app, owner, teamId, `${name}.${tag}@team.example`));
  }
  const answered = adminFirestore().doc(`invitations/${sent[2]?.id ?? ''}`);
  await answered.update({ status: 'rejected', respondedAt: new Date() });
  const visitor = await visitTeam(owner, 'invitations');
  const { page } = visitor;
  await shows(page, '2 invitations');
  await visitor.inspect('team-invitations');
  await page.getByLabel('Search').fill('BOB');
  await shows(page, '1 invitation found');
  await rowsOf(page).getByText(`bob.${tag}@team.example`, { exact: true }).waitFor();
  await press(page, `Withdraw the invitation for bob.${tag}@team.example`);
  await shows(page, 'No invitation found');
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Status').selectOption({ label: 'Declined' });
  await rowsOf(page).getByText(`carl.${tag}@team.example`, { exact: true }).waitFor();
  await shows(page, /^declined on/);
  expect(await page.getByRole('button', { name: /^Withdraw/ }).count()).toBe(0);
  await page.getByLabel('Status').selectOption({ label: 'Withdrawn' });
  await rowsOf(page).getByText(`bob.${tag}@team.example`, { exact: true }).waitFor();
});

test('the activity is shown by pages, and filtered by its kind and by a person', async () => {
  const [owner, admin] = await Promise.all([
    signUp({ displayName: 'Ann Ash' }),
    signUp({ displayName: 'Bob Birch' }),
  ]);
  const teamId = await createTeam(urls.app, owner, 'Ember');
  await addMember(teamId, admin, 'admin');
  await adminFirestore().doc(`teams/${teamId}/members/${admin.uid}`).update({ displayName: 'Bob Birch' });
  const at = Date.now() + 1_000;
  for (let index = 0; index < 20; index++) {
    const details = { email: `guest-${index}@team.example`, role: 'member' };
    await adminFirestore()
      .collection('auditLog')
      .add({
        teamId,
        actorId: index < 18 ? owner.uid : admin.uid,
        action: 'invitation.created',
        target: `invitation-${index}`,
        at: new Date(at + index),
        details,
      });
  }
  const visitor = await visitTeam(owner, 'activity');
  const { page } = visitor;
  await shows(page, 'Entries 1 to 15');
  await shows(page, 'Bob Birch invited guest-19@team.example as member');
  await visitor.inspect('team-activity');
  await press(page, 'Next entries');
  await shows(page, 'Entries 16 to 21');
  await shows(page, 'You created the team');
  await page.getByLabel('Kind').selectOption({ label: 'Team' });
  await shows(page, '1 entry');
  await isGone(page.getByText('guest-0@team.example'));
  await page.getByLabel('Kind').selectOption({ label: 'Invitations' });
  await page.getByLabel('Search').fill('bob');
  await shows(page, '2 entries found');
  await eventually(() => rowsOf(page).count()).toBe(2);
  await page.getByLabel('Search').fill('nobody');
  await shows(page, 'No member has a name or address that begins like this.');
});
