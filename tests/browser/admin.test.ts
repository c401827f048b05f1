import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { BRAND } from '../../shared/src/brand.ts';
import { signUpOperator } from '../support/operators.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { subscribablePlans } from '../support/plans.ts';
import { createTeam, inviteTo } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, fillIn, follow, heading, isGone, press, shows } from './support/steps.ts';

const visit = useBrowser();

/** Opens the page for operators, and finds a user or team by a text. */
async function find(page: Page, text: string): Promise<void> {
  await page.goto('/admin');
  await fillIn(page, { 'Address, id or short name': text });
  await press(page, 'Find');
}

test('an operator finds a user, disables the account after a confirmation, and enables it', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp({ displayName: 'Ada Ember' })]);
  const visitor = await visit(operator);
  const { page } = visitor;
  await find(page, person.email);
  await press(page, `Show ${person.email}`);
  await shows(page, 'Ada Ember');
  await visitor.inspect('admin');
  await press(page, 'Disable');
  await press(page, 'Disable the account');
  await press(page, 'Enable');
  expect((await adminAuth().getUser(person.uid)).disabled).toBe(true);
  await press(page, 'Enable the account');
  await page.getByRole('button', { name: 'Disable', exact: true }).waitFor();
  expect((await adminAuth().getUser(person.uid)).disabled).toBe(false);
});

test.each(subscribablePlans('user').slice(0, 1))('an operator gives $slug and ends it', async ({ slug }) => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
  const { page } = await visit(operator);
  await find(page, person.uid);
  await press(page, `Show ${person.email}`);
  await fillIn(page, { Plan: slug, Until: '2999-01-01' });
  await press(page, 'Give the plan');
  await shows(page, `The plan ${slug} is given until 2999-01-01.`);
  await press(page, 'End the comped plan');
  await press(page, 'End the plan');
  await isGone(page.getByText(`The plan ${slug} is given until 2999-01-01.`));
});

/** A user with a profile, whom operators see as Ada Ember. */
async function signUpAda(): Promise<Person> {
  const person = await signUp({ displayName: 'Ada Ember' });
  const profile = { email: person.email, displayName: 'Ada Ember', photoURL: null, createdAt: new Date() };
  await adminFirestore()
    .doc(`users/${person.uid}`)
    .set({ ...profile, activeTeamId: null });
  return person;
}

/** Shows the service to the operator on the page as Ada sees it. */
async function seeAsAda(page: Page, ada: Person): Promise<void> {
  await find(page, ada.email);
  await press(page, `Show ${ada.email}`);
  await fillIn(page, { Reason: 'A ticket' });
  await press(page, 'See the service as this person');
  await heading(page, 'Hello, Ada Ember');
}

test('an operator sees the service as a user, with a banner on every page, and stops', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUpAda()]);
  const visitor = await visit(operator);
  const { page } = visitor;
  await seeAsAda(page, person);
  const banner = page.getByRole('complementary', { name: 'Impersonation' });
  await banner.getByText(`You see ${BRAND.name} as ${person.email}`).waitFor();
  await visitor.inspect('impersonation');
  // The start page comes last: it has no other request that the end of the session could meet.
  for (const path of ['/files', '/billing', '/account', '/']) {
    await page.goto(path);
    await banner.waitFor();
  }
  await page.getByRole('button', { name: 'Stop' }).click();
  await heading(page, 'Sign in');
  await isGone(banner);
  await eventually(async () => (await page.context().cookies()).map(({ name }) => name)).not.toContain(
    '__session',
  );
});

/** Buttons of the account page that use the sign-in of the Firebase SDK, which is that of the operator. */
const OF_THE_SIGN_IN = ['Change password', 'Change address', 'Connect Google', 'Download my data'];

test('an operator who sees the service as a user is offered nothing that acts on their own account', async () => {
  const [operator, ada] = await Promise.all([signUpOperator(), signUpAda()]);
  const visitor = await visit(operator);
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name });
  await page.goto('/account');
  for (const name of [...OF_THE_SIGN_IN, 'Delete my account']) await button(name).waitFor();
  await seeAsAda(page, ada);
  await page.goto('/account');
  await shows(page, 'they would act on your own account');
  await visitor.inspect('impersonation-account');
  for (const name of [...OF_THE_SIGN_IN, 'Delete my account']) expect(await button(name).count()).toBe(0);
  await fillIn(page, { 'Your name': 'Ada Elm' });
  await press(page, 'Save');
  await shows(page, 'Saved.');
  await eventually(async () => (await adminAuth().getUser(ada.uid)).displayName).toBe('Ada Elm');
});

test('an operator who sees the service as a user changes nothing on a page of their own in another tab', async () => {
  const [operator, ada] = await Promise.all([signUpOperator(), signUpAda()]);
  const visitor = await visit(operator);
  const { page, context } = visitor;
  await page.goto('/account');
  await press(page, 'Delete my account');
  await fillIn(page, { 'Your password': operator.password });
  const tab = await context.newPage();
  await seeAsAda(tab, ada);
  await shows(page, 'Somebody has signed in with another account in another tab.');
  await visitor.expectComplaint(/another account/);
  expect(await page.getByRole('button', { name: 'Delete everything' }).count()).toBe(0);
  await tab.reload();
  const banner = tab.getByRole('complementary', { name: 'Impersonation' });
  await banner.waitFor();

  // The other way round: a page about Ada after the impersonation has ended.
  // The last request of the page must not meet the end of the session.
  const sessions = page.waitForResponse(/\/api\/auth\/sessions/);
  await press(page, 'Try again');
  await heading(page, 'Account');
  await sessions;
  await tab.getByRole('button', { name: 'Stop' }).click();
  await fillIn(tab, { 'E-mail': operator.email, Password: operator.password });
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(tab, /^Hello/);
  await shows(page, 'Somebody has signed in with another account in another tab.');
  await visitor.expectComplaint(/another account/);
});

test('an operator who sees the service as a user changes the team, and the choice of the user stays', async () => {
  const [operator, ada] = await Promise.all([signUpOperator(), signUpAda()]);
  await createTeam(inject('stack').urls.app, ada, 'Alder');
  const beech = await createTeam(inject('stack').urls.app, ada, 'Beech');
  const { page } = await visit(operator);
  await seeAsAda(page, ada);
  await heading(page, 'Alder');
  await page.getByLabel('Team', { exact: true }).selectOption(beech);
  await heading(page, 'Beech');
  await follow(page, 'Files');
  await heading(page, 'Files of Beech');
  expect((await adminFirestore().doc(`users/${ada.uid}`).get()).get('activeTeamId')).toBeNull();
});

test('an operator who sees the service as a user sees the invitations to the user', async () => {
  const [operator, ada, owner] = await Promise.all([signUpOperator(), signUpAda(), signUp()]);
  const app = inject('stack').urls.app;
  await inviteTo(app, owner, await createTeam(app, owner, 'Cedar'), ada.email);
  const visitor = await visit(operator);
  const { page } = visitor;
  await seeAsAda(page, ada);
  await heading(page, 'You are invited');
  await press(page, 'Accept the invitation to Cedar');
  await shows(page, 'This is not possible while you see the service as another user.');
  await visitor.expectComplaint(/403/);
});

test('an operator exports the data of a user after a confirmation, and the audit log has it', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp({ displayName: 'Ann Ember' })]);
  const { page } = await visit(operator);
  await find(page, person.email);
  await press(page, `Show ${person.email}`);
  await press(page, 'Export personal data');
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download the data')]);
  expect(download.suggestedFilename()).toBe(`${person.uid}.json`);
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as unknown;
  expect(JSON.stringify(data)).toContain(person.email);
  const entries = await adminFirestore().collection('auditLog').where('target', '==', person.uid).get();
  expect(entries.docs.map((entry) => entry.get('action') as string)).toContain('admin.user_exported');
});

test('an operator deletes a team only after its name is typed', async () => {
  const [operator, owner] = await Promise.all([signUpOperator(), signUp()]);
  const teamId = await createTeam(inject('stack').urls.app, owner, 'Lighthouse');
  const visitor = await visit(operator);
  const { page } = visitor;
  await find(page, teamId);
  await press(page, 'Show Team Lighthouse');
  await press(page, 'Delete the team');
  await fillIn(page, { 'Name of the team': 'Light' });
  await press(page, 'Delete for everybody');
  await shows(page, 'Type “Lighthouse” to confirm.');
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(true);
  await visitor.inspect('admin-delete-team');
  await fillIn(page, { 'Name of the team': 'Lighthouse' });
  await press(page, 'Delete for everybody');
  await isGone(page.getByRole('button', { name: 'Delete the team' }));
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);
});

test('a visitor without the claim sees that the page is for operators', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await find(page, 'anybody');
  await shows(page, 'This page is for operators.');
  await visitor.expectComplaint(/404/);
});

test('an operator sees that a mail failed, and sends it and a new link again', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
  const message = { subject: 'Your receipt', text: 'Paid', html: '<p>Paid</p>' };
  const delivery = { state: 'ERROR', attempts: 1, error: '550 No such mailbox' };
  const deleteAt = new Date(Date.now() + 86_400_000);
  const mail = await adminFirestore()
    .collection('mail')
    .add({ to: [person.email], message, delivery, deleteAt });
  const visitor = await visit(operator);
  const { page } = visitor;
  await find(page, person.email);
  await press(page, `Show ${person.email}`);
  await shows(page, 'Your receipt: failed. 550 No such mailbox');
  await press(page, 'Send again Your receipt');
  await press(page, 'Send the mail');
  await shows(page, 'The mail is on its way.');
  await isGone(page.getByText('550 No such mailbox'));
  expect((await mail.get()).get('delivery.state')).not.toBe('ERROR');
  await press(page, 'Mail a link for a new password');
  await press(page, 'Send the mail');
  await page
    .getByRole('listitem')
    .filter({ hasText: /password.*: / })
    .waitFor();
  await shows(page, `admin.mail_sent by ${operator.uid}`);
});

test('an operator finds the invitations and the mail of an address without an account', async () => {
  const [operator, owner] = await Promise.all([signUpOperator(), signUp()]);
  const app = inject('stack').urls.app;
  const teamId = await createTeam(app, owner, 'Ember Works');
  const email = `${crypto.randomUUID()}@example.com`;
  await inviteTo(app, owner, teamId, email);
  const { page } = await visit(operator);
  await find(page, email);
  await shows(page, 'Ember Works: pending');
  await page
    .getByRole('listitem')
    .filter({ hasText: /Ember Works.*: (?:sent|on its way)/ })
    .waitFor();
});
