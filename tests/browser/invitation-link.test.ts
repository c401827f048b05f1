import { expect, inject, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { createTeam, membersOf } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, heading, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

test('an owner makes a link for somebody without an address, who joins by it once', async () => {
  const [owner, guest] = await Promise.all([signUp({ displayName: 'Olga Oak' }), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Linden');
  const first = await visit(owner);
  await first.page.goto('/team/invitations');
  await first.page.getByText('Invite somebody without an e-mail address').click();
  await press(first.page, 'Make a link');
  await shows(first.page, 'Copy the link now.');
  await shows(first.page, 'The person with the link');
  await first.inspect('team-link');
  await press(first.page, 'Copy link of the invitation');
  await first.page.getByRole('button', { name: 'Copied of the invitation' }).waitFor();
  const link = await first.page.evaluate(() => navigator.clipboard.readText());

  const stranger = await visit();
  await stranger.page.goto(link);
  await shows(stranger.page, 'Olga Oak invites you to Linden as member.');
  await shows(stranger.page, 'One person can use this link');
  await stranger.inspect('invited-by-link');

  const second = await visit(guest);
  await second.page.goto(link);
  await heading(second.page, 'You have an invitation link');
  await shows(second.page, 'Olga Oak invites you to a team.');
  await second.inspect('dashboard-link');
  expect(await membersOf(teamId)).toHaveLength(1);
  await press(second.page, 'Accept the invitation to Linden');
  await shows(second.page, 'Welcome to Linden! You are now a member.');
  await eventually(() => membersOf(teamId).then(({ length }) => length)).toBe(2);

  const third = await visit(await signUp());
  await third.page.goto(`/dashboard${new URL(link).search.replace('invitationId', 'invitation')}`);
  await shows(third.page, 'This invitation link is not valid any more.');
  await third.expectComplaint(/404/);
});
