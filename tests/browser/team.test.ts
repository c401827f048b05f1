import { expect, inject, test } from 'vitest';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { visit as ask } from '../support/requests.ts';
import {
  addMember,
  castOf,
  createTeam,
  inviteTo,
  membersOf,
  setSampleSeats,
  setSeatLimit,
} from '../support/teams.ts';
import { useBrowser, type Visitor } from './support/browser.ts';
import {
  eventually,
  fillIn,
  follow,
  hasFocus,
  heading,
  isFocused,
  isGone,
  press,
  shows,
} from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

async function visitDashboard(person: Person): Promise<Visitor> {
  const visitor = await visit(person);
  await visitor.page.goto('/dashboard');
  await heading(visitor.page, /^Hello/);
  return visitor;
}

/** Opens a tab of the only or first team of a person. */
async function visitTeam(person: Person, tab = 'members'): Promise<Visitor> {
  const visitor = await visit(person);
  await visitor.page.goto(`/team/${tab}`);
  await visitor.page.getByRole('navigation', { name: 'Team' }).waitFor();
  return visitor;
}

test('a person creates a team and invites somebody', async () => {
  const person = await signUp();
  const { page } = await visitDashboard(person);
  const email = `${crypto.randomUUID()}@team.example`;
  await fillIn(page, { 'New team': 'Embers & Co' });
  await press(page, 'Create team');
  await heading(page, 'Embers & Co');
  const { docs } = await adminFirestore().collection('teams').where('ownerId', '==', person.uid).get();
  // The free plan of a project may have one seat.
  for (const { id } of docs) await setSampleSeats(id);
  await follow(page, 'Invite people');
  await fillIn(page, { 'E-mail': email });
  await press(page, 'Send invitation');
  await shows(page, `${email} is invited.`);
  await press(page, `Copy link for ${email}`);
  await page.getByRole('button', { name: `Copied for ${email}` }).waitFor();
  const acceptUrl = await page.evaluate(() => navigator.clipboard.readText());
  expect(acceptUrl).toMatch(/^http:\/\/localhost:\d+\/api\/team\/accept-invitation\?invitationId=\w{40}$/);
});

test('the owner sees a new member without reloading', async () => {
  const [owner, bob] = await Promise.all([signUp(), signUp({ displayName: 'Bob Birch' })]);
  const teamId = await createTeam(urls.app, owner);
  const { id } = await inviteTo(urls.app, owner, teamId, bob.email);
  const { page } = await visitTeam(owner);
  await shows(page, '2 of 3 seats taken');
  const joined = await ask(`${urls.app}/api/team/accept-invitation?invitationId=${id}`, bob.bearer);
  expect(joined.status).toBe(303);
  await page.getByLabel('Role of Bob Birch').waitFor();
  await follow(page, 'Activity');
  await shows(page, 'Bob Birch joined as member');
});

test('a member who gets a new role sees what it allows, without reloading', async () => {
  const [owner, bob] = await Promise.all([signUp(), signUp()]);
  await addMember(await createTeam(urls.app, owner), bob, 'member');
  const first = await visitTeam(owner);
  const second = await visitTeam(bob);
  const invite = second.page.getByRole('link', { name: 'Invitations' });
  await second.page.getByRole('link', { name: 'Team settings' }).waitFor();
  expect(await invite.count()).toBe(0);
  await first.page.getByLabel(`Role of ${bob.email}`).selectOption('admin');
  await invite.waitFor();
  await first.inspect('team-members');
  await second.inspect('team-members-admin');
  await first.page.goto('/dashboard');
  await shows(first.page, '2 of 3 taken');
  await first.inspect('dashboard');
});

test('an invited person sees the invitation appear, and declines', async () => {
  const [ann, bob] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, bob, 'Birches');
  const visitor = await visitDashboard(ann);
  const { page } = visitor;
  await shows(page, 'You are in no team yet.');
  await inviteTo(urls.app, bob, teamId, ann.email);
  await heading(page, 'You are invited');
  await visitor.inspect('dashboard-invited');
  await press(page, 'Decline');
  await shows(page, 'You declined the invitation.');
  await isGone(page.getByRole('heading', { name: 'You are invited' }));
});

test('an invitation is accepted on the page, which shows the reason of a refusal', async () => {
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Glow');
  await inviteTo(urls.app, owner, teamId, guest.email);
  await setSeatLimit(teamId, 1);
  const visitor = await visitDashboard(guest);
  const { page } = visitor;
  await press(page, 'Accept the invitation to Glow');
  await shows(page, 'All seats of the team are taken');
  await shows(page, 'An owner of Glow can buy a plan with more seats.');
  await visitor.expectComplaint(/403/);

  await setSeatLimit(teamId, 3);
  await press(page, 'Accept the invitation to Glow');
  await shows(page, 'Welcome to Glow! You are now a member.');
  await heading(page, 'Glow');
  await isGone(page.getByRole('heading', { name: 'You are invited' }));
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await eventually(focused).not.toContain('Skip to content');
});

test('an invitation that finds no seat leads to the plans of the team', async () => {
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Kindling');
  await createTeam(urls.app, owner, 'Another');
  await setSeatLimit(teamId, 1);
  const visitor = await visitTeam(owner, 'invitations');
  const { page } = visitor;
  await heading(page, 'Kindling');
  await page.getByLabel('E-mail').fill(guest.email);
  await press(page, 'Send invitation');
  await shows(page, 'All seats of the team are taken');
  await visitor.expectComplaint(/403/);
  await visitor.inspect('team-no-seat');
  await follow(page, 'See the plans with more seats');
  await heading(page, 'Billing');
  await shows(page, 'The team has no subscription.');
  expect(await page.getByLabel('Team', { exact: true }).inputValue()).toBe(teamId);
});

test('a change that is refused is undone on the page', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  await addMember(await createTeam(urls.app, owner), member, 'member');
  const visitor = await visitTeam(owner);
  const { page } = visitor;
  const json = { error: 'The service is busy. Try again in a moment.', code: 'busy' };
  await page.route('**/members/*', (route) => route.fulfill({ status: 409, json }));
  const role = page.getByLabel(`Role of ${member.email}`);
  await role.selectOption('admin');
  await shows(page, json.error);
  await eventually(() => role.inputValue()).toBe('member');
  await visitor.expectComplaint(/409/);
});

test('a lower role is confirmed first, also if the visitor chooses it for themselves with an arrow key', async () => {
  const { teamId, owner, admin, member } = await castOf(urls.app);
  const roleOf = async ({ uid }: Person) => (await membersOf(teamId)).find((one) => one.uid === uid)?.role;
  const visitor = await visitTeam(admin);
  const { page } = visitor;
  const choice = page.getByLabel(`Role of ${admin.email}`);
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  await heading(page, 'Change your role to member?');
  await visitor.inspect('team-lower-role');
  await hasFocus(page, 'Cancel');
  await page.keyboard.press('Enter');
  await isGone(page.getByRole('dialog'));
  await isFocused(choice);
  expect(await choice.inputValue()).toBe('admin');
  expect(await roleOf(admin)).toBe('admin');
  await page.keyboard.press('ArrowDown');
  await press(page, 'Change the role');
  await isGone(choice);
  await hasFocus(page, 'Members');
  expect(await roleOf(admin)).toBe('member');

  const second = (await visitTeam(owner)).page;
  // A higher role can be taken back.
  await second.getByLabel(`Role of ${member.email}`).selectOption('admin');
  await eventually(() => roleOf(member)).toBe('admin');
  await second.getByLabel(`Role of ${member.email}`).selectOption('member');
  await heading(second, `Change the role of ${member.email} to member?`);
  await second.keyboard.press('Escape');
  await eventually(() => second.getByLabel(`Role of ${member.email}`).inputValue()).toBe('admin');
  await second.getByLabel(`Role of ${member.email}`).selectOption('member');
  await press(second, 'Change the role');
  await eventually(() => roleOf(member)).toBe('member');
});

test('a page with a fault says so, and other pages still work', async () => {
  const visitor = await visitDashboard(await signUp());
  const { page } = visitor;
  // No version of the backend answers like this.
  await page.route('**/api/auth/plans', (route) => route.fulfill({ json: { plans: [{ slug: 'free' }] } }));
  await follow(page, 'Billing');
  await heading(page, 'This page cannot be shown');
  await shows(page, 'Something went wrong. Please try again.');
  await follow(page, 'Files');
  await heading(page, 'Your files');
  await visitor.expectComplaint(/./);
});

test('the page says that a document cannot be read, and shows the rest', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Cinder');
  const { page } = await visitTeam(owner);
  await heading(page, 'Cinder');
  await adminFirestore().doc(`teams/${teamId}/members/by-hand`).set({ uid: 'x', joinedAt: 'yesterday' });
  await shows(page, 'The members cannot be read right now.');
  await heading(page, 'Cinder');
  await follow(page, 'Activity');
  await adminFirestore().collection('auditLog').add({ teamId, action: 'team.created', at: new Date() });
  await shows(page, 'The entries cannot be read right now.');
  await heading(page, 'Cinder');
});

test('an offer of the team is declined, withdrawn and accepted on the page', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Furnace');
  await addMember(teamId, member, 'member');
  const first = await visitTeam(owner, 'settings');
  const second = await visitTeam(member, 'settings');
  const offerGone = async () => {
    for (const { page } of [first, second]) {
      await isGone(page.getByRole('heading', { name: 'Offer of ownership' }));
    }
  };
  const offerTo = async (email: string) => {
    const dialog = first.page.getByRole('dialog', { name: 'Offer ownership of Furnace' });
    await press(first.page, 'Offer ownership');
    await dialog.getByLabel('Member').selectOption({ label: email });
    await dialog.getByLabel('Name of the team, to confirm').fill('Furnace');
    await dialog.getByRole('button', { name: `Offer ownership to ${email}` }).click();
  };
  for (const [visitor, button] of [
    [second, 'Decline the offer of ownership'],
    [first, 'Withdraw the offer of ownership'],
  ] as const) {
    await offerTo(member.email);
    await heading(second.page, 'Offer of ownership');
    await press(visitor.page, button);
    await offerGone();
  }
  await offerTo(member.email);
  await shows(second.page, 'offers you Furnace');
  await shows(first.page, 'who has not replied yet');
  await first.inspect('transfer-offered');
  await second.inspect('transfer-offer');
  await press(second.page, 'Accept the offer of ownership');
  await second.page.getByRole('button', { name: 'Delete the team' }).waitFor();
  await offerGone();
  await isGone(first.page.getByRole('button', { name: 'Delete the team' }));
});

test('ownership is offered only after choosing a member and typing the name of the team', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  await addMember(await createTeam(urls.app, owner, 'Kiln'), member, 'member');
  const visitor = await visitTeam(owner, 'settings');
  const { page } = visitor;
  const dialog = page.getByRole('dialog', { name: 'Offer ownership of Kiln' });
  const submit = dialog.getByRole('button', { name: /^Offer ownership to/ });
  await press(page, 'Offer ownership');
  await submit.click();
  await isFocused(dialog.getByLabel('Member'));
  await dialog.getByLabel('Member').selectOption({ label: member.email });
  await dialog.getByLabel('Name of the team, to confirm').fill('Killn');
  await submit.click();
  await dialog.getByText('Type “Kiln” to confirm.').waitFor();
  await visitor.inspect('transfer-dialog');
  expect(await page.getByRole('heading', { name: 'Offer of ownership' }).count()).toBe(0);
});

test('the only owner of a team cannot give up the role or leave, and deletes the team by typing its name', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Forge');
  const visitor = await visitTeam(owner);
  const { page } = visitor;
  await shows(page, '(you)');
  expect(await page.getByLabel(`Role of ${owner.email}`).count()).toBe(0);
  await follow(page, 'Team settings');
  await shows(page, 'Offer ownership to a member before you leave it.');
  expect(await page.getByRole('button', { name: 'Leave the team' }).count()).toBe(0);
  await press(page, 'Delete the team');
  await page.getByText('All members, invitations and files are deleted.').waitFor();
  await press(page, 'Delete for everybody');
  await shows(page, 'Type “Forge” to confirm.');
  await visitor.inspect('team-delete');
  await fillIn(page, { 'Name of the team': 'Forge' });
  await press(page, 'Delete for everybody');
  await shows(page, 'Forge is deleted.');
});

test('a shared link leads the recipient to the dashboard, where they accept', async () => {
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Lantern');
  const { acceptUrl } = await inviteTo(urls.app, owner, teamId, guest.email);
  const { page } = await visitDashboard(guest);
  await page.goto(acceptUrl);
  await shows(page, 'You are invited. Accept or decline below.');
  await press(page, 'Accept the invitation to Lantern');
  await shows(page, 'Welcome to Lantern! You are now a member.');
});

test('the team is chosen once for all pages, and a member who was removed sees their own', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  await createTeam(urls.app, member, 'Alder');
  const teamId = await createTeam(urls.app, owner, 'Beech');
  await addMember(teamId, member, 'member');
  const visitor = await visitDashboard(member);
  const { page } = visitor;
  const switcher = page.getByLabel('Team', { exact: true });
  await heading(page, 'Alder');
  await switcher.selectOption({ label: 'Beech' });
  await heading(page, 'Beech');
  await follow(page, 'Files');
  await heading(page, 'Files of Beech');
  await follow(page, 'Billing');
  await shows(page, 'Owners and admins manage the billing of Beech.');
  await visitor.inspect('billing-member');
  await page.reload();
  await eventually(() => switcher.inputValue()).toBe(teamId);
  await page.goto('/team/members');
  await heading(page, 'Beech');
  await adminFirestore().doc(`teams/${teamId}/members/${member.uid}`).delete();
  await heading(page, 'Alder');
});

test('the menu of the user has their name, and signs out', async () => {
  const visitor = await visitDashboard(await signUp({ displayName: 'Ann Ember' }));
  const { page } = visitor;
  await press(page, 'Menu of Ann Ember');
  await page.getByRole('link', { name: 'Account settings' }).waitFor();
  await visitor.inspect('user-menu');
  await press(page, 'Sign out');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('a message that outlives its row is shown until it is dismissed', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  await addMember(await createTeam(urls.app, owner, 'Cedar'), member, 'member');
  const visitor = await visitTeam(owner);
  const { page } = visitor;
  await press(page, 'Remove');
  await press(page, 'Remove from the team');
  await shows(page, 'is no longer a member.');
  await visitor.inspect('toast');
});
