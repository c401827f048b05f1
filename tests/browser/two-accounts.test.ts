import { inject, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { createTeam, inviteTo } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { fillIn, heading, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

test('a page of one user ends when another user signs in, in another tab', async () => {
  const [ada, grace] = [await signUp(), await signUp()];
  const visitor = await visit(ada);
  const { page, context } = visitor;
  await page.goto('/account');
  await page.getByLabel('Your name').waitFor();

  const other = await context.newPage();
  await other.goto('/auth/sign-in?switch=true');
  await fillIn(other, { 'E-mail': grace.email, Password: grace.password });
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(other, /^Hello/);

  await shows(page, 'Somebody has signed in with another account in another tab.');
  await visitor.expectComplaint(/another account/);
  await press(page, 'Try again');
  await shows(page, grace.email);
});

test('the dashboard says that the invitations cannot be read after a sign-out in another tab', async () => {
  const [owner, invited] = [await signUp(), await signUp()];
  await inviteTo(urls.app, owner, await createTeam(urls.app, owner), invited.email);
  const visitor = await visit(invited);
  const { page, context } = visitor;
  await page.goto('/dashboard');
  await shows(page, 'You are invited');

  const other = await context.newPage();
  await other.goto('/account');
  await press(other, 'Sign out');
  await other.getByRole('link', { name: 'Sign in' }).first().waitFor();

  await shows(page, 'The list of your invitations cannot be read right now.');
});
