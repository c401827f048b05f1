import { test } from 'vitest';
import { signUp } from '../support/people.ts';
import { useBrowser } from './support/browser.ts';
import { fillIn, heading, press, shows } from './support/steps.ts';

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
