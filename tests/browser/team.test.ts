import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { png, pngOfSize } from '../support/files.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { addCrowd, addMember, createTeam, inviteTo, setSeatLimit } from '../support/teams.ts';
import { launch, Visitor } from './support/browser.ts';
import { judgeWhatArrives } from './support/direct-uploads.ts';
import { focused, heading, press, shows, signIn } from './support/steps.ts';

const { urls } = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const visitors: Visitor[] = [];
afterEach(async () => {
  for (const { context, complaints } of visitors.splice(0)) {
    await context.close();
    expect(complaints).toEqual([]);
  }
});

async function visitorFor(person: Person): Promise<Visitor> {
  const visitor = await Visitor.open(browser);
  visitors.push(visitor);
  await signIn(visitor, person);
  return visitor;
}

test('an invitation is accepted on the page, which says what stands in the way', async () => {
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Glow');
  await inviteTo(urls.app, owner, teamId, guest.email);
  await setSeatLimit(teamId, 1);
  const visitor = await visitorFor(guest);
  const { page } = visitor;
  await press(page, 'Accept the invitation to Glow');
  await shows(page, 'All seats of the team are taken');
  expect(visitor.complaints.splice(0)).toHaveLength(1); // The browser notes the 403.

  await setSeatLimit(teamId, 3);
  await press(page, 'Accept the invitation to Glow');
  await shows(page, 'Welcome to Glow! You are now a member.');
  await heading(page, 'Glow');
  await page.getByRole('heading', { name: 'You are invited' }).waitFor({ state: 'detached' });
  expect(await focused(page)).not.toContain('Skip to content');
});

const openFilesOf = async (page: Page, team: string) => {
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByLabel('For').selectOption({ label: team });
  await heading(page, `Files of ${team}`);
};

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Drop files here, or choose them').setInputFiles([{ name, mimeType: 'image/png', buffer }]);

const fileLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('files are sent to a team, shown to all of it, and deleted by its roles', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Kiln');
  await addMember(teamId, member, 'member');
  const [first, second] = await Promise.all([visitorFor(owner), visitorFor(member)]);
  await Promise.all([openFilesOf(first.page, 'Kiln'), openFilesOf(second.page, 'Kiln')]);
  await shows(second.page, 'The team has no files yet.');

  await choose(first.page, 'rules.png', png(8, 8));
  await choose(second.page, 'mine.png', png(16, 16));
  for (const { page } of [first, second]) {
    await fileLink(page, 'rules.png').waitFor();
    await fileLink(page, 'mine.png').waitFor();
  }
  const deletable = (page: Page) => page.getByRole('button', { name: 'Delete' }).count();
  expect([await deletable(first.page), await deletable(second.page)]).toEqual([2, 1]);
  expect(await first.barriers()).toEqual([]);
  await first.screenshot('files-team');

  await press(second.page, 'Delete');
  expect(await focused(second.page)).toBe('Cancel');
  await press(second.page, 'Delete the file');
  await fileLink(first.page, 'mine.png').waitFor({ state: 'detached' });
  await fileLink(second.page, 'rules.png').waitFor();
  await second.page.getByLabel('For').selectOption({ label: 'Yourself' });
  await shows(second.page, 'You have no files yet.');
});

test('a large file is sent to a team straight to Storage', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Forge');
  const { page } = await visitorFor(owner);
  await openFilesOf(page, 'Forge');
  await choose(page, 'large.png', pngOfSize(9_000_000));
  await shows(page, 'for Forge');
  await judgeWhatArrives(owner.email, 'large-');
  await fileLink(page, 'large.png').waitFor();
});

test('what is being sent goes on while another page is shown', async () => {
  const visitor = await visitorFor(await signUp());
  const { page } = visitor;
  await page.getByRole('link', { name: 'Files' }).click();
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/api/upload', async (route) => {
    await held;
    await route.continue();
  });
  await choose(page, 'slow.png', png(8, 8));
  await shows(page, 'slow.png');
  await page.getByRole('link', { name: 'Account' }).click();
  await heading(page, 'Account');
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Cancel slow.png' }).waitFor();
  release(undefined);
  await fileLink(page, 'slow.png').waitFor();
  await page.getByRole('button', { name: 'Cancel slow.png' }).waitFor({ state: 'detached' });
});

test('of many files the older ones are shown when they are asked for', async () => {
  const person = await signUp();
  await storeMany(person.uid, 101);
  const { page } = await visitorFor(person);
  await page.getByRole('link', { name: 'Files' }).click();
  await fileLink(page, 'file-100.png').waitFor();
  expect(await fileLink(page, 'file-0.png').count()).toBe(0);
  await press(page, 'Show more');
  await fileLink(page, 'file-0.png').waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  expect(await focused(page)).toBe('Your files');
});

/** Documents of files, each a second later than the one before. */
async function storeMany(ownerId: string, count: number): Promise<void> {
  const firestore = adminFirestore();
  const writer = firestore.bulkWriter();
  for (let index = 0; index < count; index++) {
    void writer.create(firestore.doc(`uploads/${randomUUID()}`), {
      ownerId,
      createdBy: ownerId,
      name: `file-${index}.png`,
      contentType: 'image/png',
      size: 1,
      url: 'https://example.com/',
      status: 'stored',
      createdAt: new Date(1_800_000_000_000 + index * 1000),
    });
  }
  await writer.close();
}

test('while the state of a subscription is unknown, nobody is told that they have none', async () => {
  const visitor = await visitorFor(await signUp());
  const { page } = visitor;
  await page.route(/google\.firestore\.v1\.Firestore\/Listen/, () => undefined);
  await page.goto('/billing');
  await shows(page, 'Loading subscription');
  expect(await page.getByText('You have no subscription.').count()).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  visitor.complaints.length = 0;
});

test('of a large team the first ten are shown, and all when they are asked for', async () => {
  const owner = await signUp();
  await addCrowd(await createTeam(urls.app, owner, 'Blaze'), 11);
  const { page } = await visitorFor(owner);
  const removable = page.getByRole('button', { name: 'Remove' });
  await removable.first().waitFor();
  expect(await removable.count()).toBe(9);
  await press(page, 'Show all 12 members');
  await removable.nth(10).waitFor();
  expect(await focused(page)).toBe('Members');
});

test('a page with a fault says so, and the others are as they were', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Ash');
  const visitor = await visitorFor(owner);
  const { page } = visitor;
  await heading(page, 'Activity');
  // Nothing writes an entry like this.
  await adminFirestore().collection('auditLog').add({ teamId, action: 'team.created', at: new Date() });
  await heading(page, 'This page cannot be shown');
  await shows(page, 'Something went wrong. Please try again.');
  await page.getByRole('link', { name: 'Files' }).click();
  await heading(page, 'Your files');
  expect(visitor.complaints.splice(0)).not.toEqual([]);
});

test('a document that cannot be read is said to be that, and the rest of the page is there', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Cinder');
  const { page } = await visitorFor(owner);
  await heading(page, 'Cinder');
  await adminFirestore().doc(`teams/${teamId}/members/by-hand`).set({ uid: 'x', joinedAt: 'yesterday' });
  await shows(page, 'The members cannot be read right now.');
  await heading(page, 'Cinder');
});
