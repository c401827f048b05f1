import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { FEATURES } from '../eslint.layers.ts';
import { ROUTES } from '../functions/src/app.ts';
import { codeOf, REFUSALS, statusOf, type RefusalName } from '../functions/src/refusals/refusals.ts';
import type { Setting } from '../functions/src/settings/kinds.ts';
import { SETTING_GROUPS } from '../functions/src/settings/table.ts';
import { ROOT } from './paths.ts';
import { IS_HEARTH, proseOfMarkdown, testTitlesOf } from './prose.ts';
import { FIRESTORE_FUNCTIONS } from './setup/steps/triggers.ts';

const PAGES = [
  '*.md',
  'docs/**/*.md',
  'shared/*.md',
  'client/*.md',
  'web/*.md',
  'create-hearth/*.md',
  'emulators/*.md',
  'emulators/*/*.md',
  'examples/*/*.md',
];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pages = PAGES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((file) => IS_HEARTH || file !== 'README.md')
  .map((file) => ({ file, text: read(file) }));

test('every link between the pages leads to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(10);
  const broken = pages.flatMap(({ file, text }) =>
    linksOf(text).flatMap((link) => (leadsSomewhere(file, link) ? [] : [`${file}: ${link}`])),
  );
  expect(broken).toEqual([]);
});

test('a page that begins with the list of its sections lists all of them', () => {
  const listed = pages.filter(({ text }) => ownSectionLinks(text).length > 0);
  expect(listed.length).toBeGreaterThan(1);
  for (const { file, text } of listed) {
    const sections = headingsOf(text.replaceAll(/^(?:# |###).*$/gm, ''));
    expect(ownSectionLinks(text), file).toEqual(sections);
  }
});

/** The list items before the first section that are only a link to a section of the page. */
function ownSectionLinks(text: string): string[] {
  const [introduction = ''] = text.split(/^## /m);
  return [...introduction.matchAll(/^- \[[^\]]+\]\(#([^)]+)\)$/gm)].map(([, heading = '']) => heading);
}

test('each link of a word in the glossary leads to the section that defines the word', () => {
  const page = read('docs/glossary.md');
  const rows = page.split('## Words with several meanings')[1] ?? '';
  const links = [...rows.matchAll(/^\| `?(\w+).*$/gm)].flatMap(([row, word = '']) =>
    [...row.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, heading = '']) => ({ word, heading })),
  );
  expect(links.length).toBeGreaterThan(10);
  const wrong = links.filter(
    ({ word, heading }) => !definedIn(page, heading).some((term) => term.includes(word)),
  );
  expect(wrong).toEqual([]);
});

/** The terms that a section of the glossary defines: the first cells of its tables, and bold words. */
function definedIn(page: string, heading: string): string[] {
  const sections = page.split(/^(?=#+ )/m);
  const text = sections.find((section) => headingsOf(section)[0] === heading) ?? '';
  return [...text.matchAll(/^\| ([^|]+) \||\*\*(.+?)\*\*/gm)].map(([, cell, bold]) => cell ?? bold ?? '');
}

test('no line of prose is longer than 120 columns', () => {
  // The changelog is left out: branches add to it, and wrapping its entries anew would make them conflict.
  const wrapped = pages.filter(({ file }) => file !== 'CHANGELOG.md');
  const long = wrapped.flatMap(({ file, text }) =>
    linesOfProse(text).flatMap(({ line, text: prose }) => (prose.length > 120 ? [`${file}:${line}`] : [])),
  );
  expect(long).toEqual([]);
});

test('every test that the pages name exists', () => {
  const named = pages.flatMap(({ file, text }) =>
    proseOfMarkdown(file, text).flatMap(({ text: item }) => {
      const [, source = '', title = ''] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(item) ?? [];
      return source === '' ? [] : [{ file, source, title }];
    }),
  );
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(
    ({ source, title }) =>
      !existsSync(join(ROOT, source)) || !testTitlesOf(source, read(source)).includes(title),
  );
  expect(missing).toEqual([]);
});

test('the page of the API has every code of a refusal, with its status', () => {
  const page = read('docs/api.md');
  const codes = new Set((Object.keys(REFUSALS) as RefusalName[]).map(codeOf));
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  const named = [...page.matchAll(/(\d{3}) `([a-z]+(?:_[a-z]+)*)`/g)].map(
    ([, status = '', code = '']) => `${status} ${code}`,
  );
  const known = new Set<string>([...codes].map((code) => `${statusOf(code)} ${code}`));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('the log messages on the pages of operations, runbooks and billing exist', () => {
  const page = ['operations', 'runbooks', 'billing']
    .map((name) => read(`docs/${name}.md`))
    .join('\n')
    .replace(/\s+/g, ' ');
  const quoted = [...page.matchAll(/`([A-Za-z]+(?: [A-Za-z]+){2,})`/g)].map(([, text = '']) => text);
  // Commands are no messages, and messages about mail are composed.
  const messages = quoted.filter((text) => !/^(?:npm|npx|gcloud|Mail) /.test(text));
  expect(messages.length).toBeGreaterThan(4);
  const sources = globSync('functions/src/**/*.ts', { cwd: ROOT }).map(read);
  expect(messages.filter((message) => !sources.some((source) => source.includes(message)))).toEqual([]);
});

test('the pages have the number of attempts of a transaction', () => {
  const attempts = /^const MAX_TRANSACTION_ATTEMPTS = (\d+);$/m.exec(
    read('functions/src/firestore/transaction.ts'),
  )?.[1];
  const named = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/transaction\s+is\s+tried\s+(\d+)\s+times/gi)].map(([, times]) => ({ file, times })),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter(({ times }) => times !== attempts)).toEqual([]);
});

test('the README of Hearth itself names every required setting', () => {
  // Without a skipped test, the last line of a run stays the same in every project.
  if (!IS_HEARTH) return;
  const settings = Object.values(SETTING_GROUPS).flatMap((group) => Object.values<Setting>(group));
  const required = settings.filter(({ param, default: value }) => param === 'secret' || value === undefined);
  expect(required.length).toBeGreaterThan(3);
  const section = /## Configuration\n([^#]+)/.exec(read('README.md'))?.[1] ?? '';
  expect(required.map(({ name }) => name).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test('the page of the API has every route', () => {
  const page = read('docs/api.md');
  const missing = ROUTES.filter(({ method, path }) => !page.includes(`${method.toUpperCase()} ${path}`));
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('the page of the architecture has the imports that lint allows', () => {
  const [, table = ''] =
    /\| feature \| may import \|\n.*\n((?:\|.*\n)+)/.exec(read('docs/architecture.md')) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => [...row.matchAll(/`([a-z-]+)\/`/g)].map(([, name = '']) => name));
  expect(Object.fromEntries(rows.map(([feature = '', ...allowed]) => [feature, allowed]))).toEqual(FEATURES);
});

test('the page about push messages names each host that a browser calls and that the policy lacks', () => {
  const hosts = ['installations', 'messaging'].flatMap((part) => {
    const source = read(`node_modules/@firebase/${part}/dist/esm/index.esm.js`);
    return /https:\/\/(?:firebaseinstallations|fcmregistrations)\.googleapis\.com/.exec(source)?.[0] ?? [];
  });
  expect(hosts).toHaveLength(2);
  const [, section = ''] = /## Push messages\n([^]+?)\n## /.exec(read('docs/operations.md')) ?? [];
  const policy = read('firebase.json');
  expect(hosts.filter((host) => !policy.includes(host) && !section.includes(host))).toEqual([]);
});

test('each page that deploys says how to sign in to the Firebase CLI', () => {
  const deploying = pages.filter(({ text }) =>
    /npm run deploy -- --project <|npx firebase firestore:/.test(text),
  );
  expect(deploying.map(({ file }) => file)).toContain('docs/operations.md');
  const silent = deploying.filter(
    ({ text }) => !text.includes('npx firebase login') && !text.includes('operations.md#set-up-and-deploy'),
  );
  expect(silent.map(({ file }) => file)).toEqual([]);
});

test('the restore of a lost database recreates every trigger of Firestore', () => {
  const [, section = ''] = /\*\*The database is lost\*\*([^]+?)\n\*\*/.exec(read('docs/operations.md')) ?? [];
  const [, names = ''] = /npx firebase functions:delete ([\w ]+)/.exec(section) ?? [];
  expect(FIRESTORE_FUNCTIONS.length).toBeGreaterThan(0);
  expect(names.trim().split(' ')).toEqual(FIRESTORE_FUNCTIONS);
});

/** The lines of a page, without tables, code blocks and images. */
function linesOfProse(page: string): { line: number; text: string }[] {
  let isCode = false;
  return page.split('\n').flatMap((text, index) => {
    const isFence = /^\s*```/.test(text);
    if (isFence) isCode = !isCode;
    const isProse = !isFence && !isCode && !/^\s*(?:\||!\[)/.test(text);
    return isProse ? [{ line: index + 1, text }] : [];
  });
}

/** The targets of links within the repository. */
function linksOf(text: string): string[] {
  const links = [...text.replace(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)];
  return links.map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(ROOT, file))) return false;
  if (file === 'README.md' && !IS_HEARTH) return true;
  return heading === undefined || headingsOf(read(file)).includes(heading);
}

/** The ids that GitHub gives to headings. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

test('the page of the architecture names every room of billing', () => {
  const section = /### Rooms of `billing\/`\n([^#]+)/.exec(read('docs/architecture.md'))?.[1] ?? '';
  const named = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z/-]+)\/`/g)].map(([, room = '']) => room),
  );
  const files = globSync('*/**/*.ts', { cwd: join(ROOT, 'functions/src/billing') });
  const rooms = new Set(files.map((file) => dirname(file)).filter((room) => basename(room) !== 'testing'));
  expect(named.toSorted()).toEqual([...rooms].toSorted());
});

test('the page about scaling names every route and every deployed function', () => {
  const page = read('docs/scaling.md');
  const named = new Set([...page.matchAll(/`([A-Za-z]+)`/g)].map(([, name = '']) => name));
  const functions = [...read('functions/src/index.ts').matchAll(/^export const (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  const ids = [...ROUTES.map(({ id }) => id), ...functions];
  expect(functions).toContain('api');
  expect(ids.filter((id) => !named.has(id))).toEqual([]);
});
