import { expect, test } from 'vitest';
import { readChoices, slugOf } from './options.ts';

const DEFAULTS = { folder: 'my-app', name: 'My App', plans: undefined, pages: true, template: undefined };

test('without a terminal the defaults apply', async () => {
  expect(await readChoices(['my-app'], undefined)).toEqual(DEFAULTS);
});

test('options answer the questions', async () => {
  const options = ['--name', 'Acme', '--plans', 'free, pro', '--no-pages', '--template', '../hearth'];
  expect(await readChoices(['my-app', ...options], () => Promise.reject(new Error('Asked.')))).toEqual({
    folder: 'my-app',
    name: 'Acme',
    plans: ['free', 'pro'],
    pages: false,
    template: '../hearth',
  });
});

test('the terminal is asked for the rest, and --yes asks nothing', async () => {
  const asked: string[] = [];
  const ask = (question: string, byDefault: string) => {
    asked.push(question);
    return Promise.resolve(question.startsWith('With') ? 'n' : byDefault);
  };
  expect(await readChoices(['my-app', '--name', 'Acme'], ask)).toEqual({
    ...DEFAULTS,
    name: 'Acme',
    pages: false,
  });
  expect(asked).toEqual(['Plans to keep, with commas', 'With the web app']);
  expect(await readChoices(['my-app', '--yes'], ask)).toEqual(DEFAULTS);
});

test.each([[[]], [['one', 'two']]])('the folders %j print the usage', async (folders) => {
  await expect(readChoices(folders, undefined)).rejects.toThrow('Usage:\n  npm run create');
});

test.each([
  ['My App', 'my-app'],
  ['Café 24', 'cafe-24'],
  ['1st & Best!', 'st-best'],
])('the name "%s" makes the package %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
