import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { png, pngOfSize } from '../support/files.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { addMember, createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { receiveNextFile } from './support/direct-uploads.ts';
import { eventually, follow, hasFocus, heading, isFocused, isGone, press, shows } from './support/steps.ts';

/** A file that is large enough to be sent straight to Storage. */
const LARGE = 9_000_000;

const { urls } = inject('stack');
const visit = useBrowser();

/** Opens the files of a signed-in person, or those of their team. */
async function visitFiles(person: Person, team?: string) {
  const visitor = await visit(person);
  const { page } = visitor;
  await page.goto('/files');
  await heading(page, team === undefined ? 'Your files' : `Files of ${team}`);
  return visitor;
}

const picker = (page: Page) => page.getByLabel('Drop files here, or choose them');

const fileLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Chooses a picture from the disk, which costs less than to send its bytes to the browser. */
async function choose(page: Page, name: string, bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), bytes);
  await picker(page).setInputFiles(join(folder, name));
}

/** Drops a text file on an element. */
async function drop(page: Page, selector: string, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: 'text/plain' }));
      return transfer;
    },
    [name, text] as const,
  );
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
}

test('files are uploaded, shown, opened by their link and deleted', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.goto('/dashboard');
  await follow(page, 'Files');
  await shows(page, 'You have no files yet.');
  await visitor.inspect('files-empty');
  const picture = png(64, 64);
  await choose(page, 'hearth.png', picture);
  const link = page.getByRole('link', { name: 'hearth.png' });
  await link.waitFor();
  const thumbnail = page.locator('img.thumbnail');
  await eventually(() => thumbnail.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(64);
  const fetched = await fetch((await link.getAttribute('href')) ?? '');
  expect(Buffer.from(await fetched.arrayBuffer()).equals(picture)).toBe(true);
  await visitor.inspect('files');
  await press(page, 'Delete');
  await press(page, 'Delete the file');
  await shows(page, 'You have no files yet.');
  await hasFocus(page, 'Your files');
  await drop(page, '.dropzone', 'note.txt', 'Warm.');
  await page.getByRole('link', { name: 'note.txt' }).waitFor();
});

test('a private file gets a new link, and its old one ends', async () => {
  const person = await signUp();
  const visitor = await visitFiles(person);
  const { page } = visitor;
  await page.getByLabel('Private').check();
  await choose(page, 'secret.png', png(8, 8));
  await fileLink(page, 'secret.png').waitFor();
  await shows(page, /^private$/);
  const link = () => fileLink(page, 'secret.png').getAttribute('href');
  const old = (await link()) ?? '';
  expect((await fetch(old)).status).toBe(200);
  await press(page, 'New link secret.png');
  await press(page, 'Replace the link');
  await shows(page, 'secret.png has a new link.');
  await eventually(link).not.toBe(old);
  expect((await fetch(old)).ok).toBe(false);
  expect((await fetch((await link()) ?? '')).status).toBe(200);
});

test('files are found by a part of the name, and ordered', async () => {
  const person = await signUp();
  await storeMany(person.uid, 12);
  const visitor = await visitFiles(person);
  const { page } = visitor;
  const names = () => page.locator('.rows a').allTextContents();
  await eventually(async () => (await names())[0]).toBe('file-11.png');
  await page.getByLabel('Order').selectOption('name');
  await eventually(async () => (await names()).slice(0, 3)).toEqual([
    'file-0.png',
    'file-1.png',
    'file-2.png',
  ]);
  await page.getByLabel('Search').fill('E-1');
  await eventually(names).toEqual(['file-1.png', 'file-10.png', 'file-11.png']);
  await visitor.inspect('files-search');
  await page.getByLabel('Search').fill('nothing');
  await shows(page, 'No file has this name.');
});

/** Holds the next requests to Firestore until `release` is called. */
async function holdFirestore(page: Page): Promise<{ release: () => void }> {
  const held = Promise.withResolvers<undefined>();
  await page.route(/Firestore\/Listen/, async (route) => {
    await held.promise;
    // The page may be gone.
    await route.continue().catch(() => undefined);
  });
  return {
    release: () => {
      held.resolve(undefined);
    },
  };
}

test('a person who searches and orders files with the keyboard keeps the focus', async () => {
  const person = await signUp();
  await storeMany(person.uid, 12);
  const { page } = await visitFiles(person);
  const [search, order] = [page.getByLabel('Search'), page.getByLabel('Order')];
  const names = () => page.locator('.rows a').allTextContents();
  await fileLink(page, 'file-11.png').waitFor();
  const first = await holdFirestore(page);
  await search.focus();
  await page.keyboard.type('file-3');
  await eventually(names).toEqual(['file-3.png']);
  await isFocused(search);
  first.release();
  await search.fill('file-4');
  await eventually(names).toEqual(['file-4.png']);
  await page.reload();
  await fileLink(page, 'file-11.png').waitFor();
  const second = await holdFirestore(page);
  await order.focus();
  await page.keyboard.press('ArrowDown');
  await isFocused(order);
  expect(await order.inputValue()).toBe('name');
  second.release();
  await eventually(async () => (await names())[0]).toBe('file-0.png');
  await isFocused(order);
});

test('a file of a type that is never accepted is refused before it is sent', async () => {
  const visitor = await visitFiles(await signUp());
  const { page } = visitor;
  await drop(page, '.dropzone', 'tool.exe', 'MZ');
  await shows(page, 'Files of this type are not accepted.');
  await press(page, 'Dismiss tool.exe');
  expect(visitor.complaints).toEqual([]);
});

test('a large file goes straight to Storage, and is in the list when it is checked', async () => {
  const visitor = await visitFiles(await signUp());
  const { page } = visitor;
  // Holds the bytes until the upload is paused, so that a fast upload does not finish first.
  await page.route(/[?&]upload_id=/, () => undefined);
  await choose(page, 'large.png', pngOfSize(LARGE));
  await page.getByRole('button', { name: 'Pause large.png' }).focus();
  await page.keyboard.press('Enter');
  await shows(page, 'Paused');
  await isFocused(page.getByRole('button', { name: 'Resume large.png', disabled: false }));
  await visitor.inspect('files-paused');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([receiveNextFile(page), page.keyboard.press('Enter')]);
  await fileLink(page, 'large.png').waitFor();
});

test('a large file is cancelled while it is paused', async () => {
  const { page } = await visitFiles(await signUp());
  await page.route(/[?&]upload_id=/, () => undefined);
  await choose(page, 'never.png', pngOfSize(LARGE));
  await press(page, 'Pause never.png');
  await shows(page, 'Paused');
  await press(page, 'Cancel never.png');
  await isGone(page.getByText('never.png'));
  await isFocused(picker(page));
});

test('a large file is refused when its bytes are of another kind', async () => {
  const { page } = await visitFiles(await signUp());
  await Promise.all([receiveNextFile(page), choose(page, 'no.png', Buffer.alloc(LARGE))]);
  await shows(page, 'The file is not what its extension says');
  await press(page, 'Dismiss no.png');
});

test('a file of another kind is refused with a message', async () => {
  const visitor = await visitFiles(await signUp());
  const { page } = visitor;
  await choose(page, 'fake.png', Buffer.from('no picture'));
  await shows(page, 'The content of this file does not match its extension .png.');
  await press(page, 'Dismiss fake.png');
  await visitor.expectComplaint(/415/);
});

test('files are sent to a team, shown to all members, and deleted as their roles allow', async () => {
  const [owner, member] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(urls.app, owner, 'Kiln');
  await addMember(teamId, member, 'member');
  const first = await visitFiles(owner, 'Kiln');
  const second = await visitFiles(member, 'Kiln');
  await shows(second.page, 'The team has no files yet.');

  await choose(first.page, 'rules.png', png(8, 8));
  await choose(second.page, 'mine.png', png(16, 16));
  for (const { page } of [first, second]) {
    await fileLink(page, 'rules.png').waitFor();
    await fileLink(page, 'mine.png').waitFor();
  }
  const deletable = ({ page }: typeof first) => page.getByRole('button', { name: 'Delete' }).count();
  await eventually(() => Promise.all([deletable(first), deletable(second)])).toEqual([2, 1]);
  await shows(first.page, `by ${member.email}`);
  await first.inspect('files-team');

  await press(second.page, 'Delete');
  await hasFocus(second.page, 'Cancel');
  await press(second.page, 'Delete the file');
  await isGone(fileLink(first.page, 'mine.png'));
  await fileLink(second.page, 'rules.png').waitFor();
  await second.page.getByLabel('Team', { exact: true }).selectOption({ label: 'Yourself' });
  await shows(second.page, 'You have no files yet.');
});

test('a large file is sent to a team straight to Storage', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Forge');
  const { page } = await visitFiles(owner, 'Forge');
  await Promise.all([
    receiveNextFile(page),
    choose(page, 'large.png', pngOfSize(LARGE)),
    shows(page, 'for Forge'),
  ]);
  await fileLink(page, 'large.png').waitFor();
});

test('an upload continues while another page is shown', async () => {
  const { page } = await visitFiles(await signUp());
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/api/upload', async (route) => {
    await held;
    await route.continue();
  });
  await choose(page, 'slow.png', png(8, 8));
  await shows(page, 'slow.png');
  await follow(page, 'Account');
  await heading(page, 'Account');
  await follow(page, 'Files');
  await page.getByRole('button', { name: 'Cancel slow.png' }).waitFor();
  release(undefined);
  await fileLink(page, 'slow.png').waitFor();
  await isGone(page.getByRole('button', { name: 'Cancel slow.png' }));
});

/** Remembers the lowest number of rows of the list from now on. */
const watchRows = (page: Page) =>
  page.evaluate(() => {
    const count = () => document.querySelectorAll('.rows a').length;
    const shown = { fewestRows: count() };
    Object.assign(globalThis, { shown });
    new MutationObserver(() => {
      shown.fewestRows = Math.min(shown.fewestRows, count());
    }).observe(document.body, { childList: true, subtree: true });
  });

const fewestRows = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shown: { fewestRows: number } }).shown.fewestRows);

test('older files are shown on request', async () => {
  const person = await signUp();
  await storeMany(person.uid, 101);
  const { page } = await visitFiles(person);
  await fileLink(page, 'file-100.png').waitFor();
  expect(await fileLink(page, 'file-0.png').count()).toBe(0);
  await watchRows(page);
  await press(page, 'Show more');
  await fileLink(page, 'file-0.png').waitFor();
  expect(await fewestRows(page)).toBe(100);
  await isGone(page.getByRole('button', { name: 'Show more' }));
  await hasFocus(page, 'Your files');
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
      size: 1_000_000,
      url: 'https://example.com/',
      status: 'stored',
      createdAt: new Date(1_800_000_000_000 + index * 1000),
    });
  }
  await writer.close();
}
