import { expect, inject, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { fillIn, isFocused, isGone, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

test('a field that is missing has its own error, and gets the focus', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/auth/sign-in');
  await fillIn(page, { 'E-mail': 'ada@example.com' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const password = page.getByLabel('Password');
  await isFocused(password);
  expect(await password.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBeNull();
  const id = (await password.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${id}"]`).textContent()).not.toBe('');
  await visitor.inspect('field-error');

  await password.pressSequentially('x');
  await isGone(page.locator('.field-error'));
  expect(await password.getAttribute('aria-describedby')).toBeNull();
});

test('a field that the backend refuses has the error of the backend', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Ash');
  const visitor = await visit(owner);
  const { page } = visitor;
  await page.goto('/team/settings');
  const name = page.getByLabel('Name', { exact: true });
  // The browser does not know that a name with an address is refused.
  await name.fill('https://ash.example');
  await press(page, 'Rename');
  await isFocused(name);
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  await page.locator('.field-error').waitFor();
  await visitor.expectComplaint(/400/);
  await name.fill('Beech');
  await press(page, 'Rename');
  await shows(page, 'The team has a new name.');
});

test('an account that exists already is an error of the address', async () => {
  const { email } = await signUp();
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/auth/sign-in');
  await press(page, 'Create an account');
  await fillIn(page, { 'Your name': 'Ada', 'E-mail': email, Password: 'correct horse' });
  await press(page, 'Create account');
  await shows(page, 'There is an account with this e-mail address already.');
  await isFocused(page.getByLabel('E-mail'));
  await visitor.expectComplaint(/400/);
});
