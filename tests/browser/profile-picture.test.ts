import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { png } from '../support/files.ts';
import { adminAuth, signUp } from '../support/people.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, follow, heading, isGone, press, shows } from './support/steps.ts';

const visit = useBrowser();

async function fileOnDisk(name: string, bytes: Buffer | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-picture-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
}

async function choose(page: Page, button: string, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, button)]);
  await chooser.setFiles(path);
}

/** The width of a loaded picture; 0 for a broken picture. */
const widthOf = (picture: Locator) => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);

test('a person adds a picture, replaces it and removes it, and the header shows it', async () => {
  const person = await signUp({ displayName: 'Ann Ember' });
  const visitor = await visit(person);
  const { page } = visitor;
  const inHeader = page.locator('header .avatar img');
  const photoOf = async () => (await adminAuth().getUser(person.uid)).photoURL;
  await page.goto('/account');
  await shows(page, 'this one');

  await choose(page, 'Add a picture', await fileOnDisk('me.png', png(600, 400)));
  await shows(page, 'Your picture is changed.');
  await eventually(() => widthOf(inHeader)).toBe(256);
  await visitor.inspect('account-picture');
  const first = (await photoOf()) ?? '';
  expect((await fetch(first)).status).toBe(200);

  await choose(page, 'Change picture', await fileOnDisk('small.png', png(64, 64)));
  await eventually(() => widthOf(inHeader)).toBe(64);
  await shows(page, 'Your picture is changed.');
  expect((await fetch(first)).ok).toBe(false);
  await page.reload();
  await eventually(() => widthOf(inHeader)).toBe(64);

  await press(page, 'Remove picture');
  await shows(page, 'Your picture is removed.');
  await isGone(inHeader);
  expect(await photoOf()).toBeUndefined();
  await follow(page, 'Files');
  await shows(page, 'You have no files yet.');
});

test('a picture whose file is deleted on the files page leaves the header', async () => {
  const person = await signUp({ displayName: 'Ann Ember' });
  const { page } = await visit(person);
  await page.goto('/account');
  await choose(page, 'Add a picture', await fileOnDisk('me.png', png(300, 300)));
  await shows(page, 'Your picture is changed.');
  await follow(page, 'Files');
  await heading(page, 'Your files');
  await press(page, 'Delete');
  await press(page, 'Delete the file');
  await shows(page, 'You have no files yet.');
  await isGone(page.locator('header .avatar img'));
});

test('a file that is not a picture is refused before it is sent', async () => {
  const { page } = await visit(await signUp());
  await page.goto('/account');
  await choose(page, 'Add a picture', await fileOnDisk('note.png', 'Warm.'));
  await shows(page, 'This file is not a picture that your browser can read.');
});
