import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';
import { filesOf, MARKDOWN, proseOfMarkdown, proseOfTypeScript, TYPESCRIPT, type Prose } from './prose.ts';

/** This file has bad examples, and the others are generated. */
const SKIPPED = ['scripts/language.test.ts', 'client/src/generated/**'];

/** Beginnings that make a sentence hard to read: "Of a team, its members." */
const BEGINNING = /(?:^|[.!?]\s+|\n\n\s*)(?:Of|What|Who|Whose|By which)\s/;
const PHRASE = /\b(?:is no more(?! than)|lets? be|one of both|whoever|tells|told)\b/i;
/** The spelling is American. */
const BRITISH =
  /\b(?:behaviour|(?:dis|un)?colour|favour|honour|data centre|labell|fulfils?\b|(?:recogn|pseudonym|initial|organ|serial|normal|author|summar|synchron|minim|optim|custom|emphas)is(?:e[ds]?|ing|ation)\b|analyse|misspelt)/i;
const MAX_WORDS_OF_CELL = 30;

test.each<[string, boolean]>([
  ['Of a team, its members.', true],
  ['Reads the team. What it finds is returned.', true],
  ['Who may invite', true],
  ['Others are let be.', true],
  ['The team is no more.', true],
  ['Use one of both.', true],
  ['It tells the owner.', true],
  ['Whoever owns the team', true],
  ['The owner is told.', true],
  ['The default behaviour', true],
  ['The Firebase CLI recognises it.', true],
  ['One of the members.', false],
  ['There is no more than one owner.', false],
])('"%s" is hard to read: %s', (text, isHard) => {
  expect(isHardToRead({ file: '', line: 1, text, kind: 'comment' })).toBe(isHard);
});

test('comments, test titles and messages are found where they are', () => {
  const source = [
    '/**',
    ' * Of the first paragraph.',
    ' *',
    ' * @returns What follows a tag.',
    ' */',
    "const one = 'Who is a string.'; // Whose ends a line",
    '// Plain. By which',
    '// goes on.',
    "test('of a title', () => undefined);",
    "describe('a team', () => {",
    "  test('of an owner', () => undefined);",
    '});',
    'const regular = /Of no string/;',
  ].join('\n');
  const found = proseOfTypeScript('a.ts', source).filter(isHardToRead);
  expect(found.map(({ line }) => line).sort((a, b) => a - b)).toEqual([1, 6, 6, 7, 9, 11]);
});

test('no sentence begins with Of, What, Who, Whose or By which, or has a word that is not plain', () => {
  expect([...markdown(), ...typeScript(), ...rules()].filter(isHardToRead).map(show)).toEqual([]);
});

test('no table cell has more than 30 words', () => {
  const cells = markdown().filter(({ kind }) => kind === 'cell');
  expect(cells.filter(({ text }) => wordsOf(text) > MAX_WORDS_OF_CELL).map(show)).toEqual([]);
});

/** Titles, blocks and cells begin a sentence in lower case too. */
function isHardToRead({ text, kind }: Prose): boolean {
  const isSentence = kind === 'title' || kind === 'block' || kind === 'cell';
  const sentence = isSentence ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return BEGINNING.test(sentence) || PHRASE.test(sentence) || BRITISH.test(sentence);
}

/** Code counts as one word. */
function wordsOf(cell: string): number {
  return cell.replace(/`[^`]*`/g, 'code').split(/\s+/).length;
}

function markdown(): Prose[] {
  return filesOf(MARKDOWN).flatMap((file) => proseOfMarkdown(file, read(file)));
}

function typeScript(): Prose[] {
  const skipped = new Set(filesOf(SKIPPED));
  return filesOf(TYPESCRIPT)
    .filter((file) => !skipped.has(file))
    .flatMap((file) => proseOfTypeScript(file, read(file)));
}

/** The comments of the security rules. Lines that follow each other are one comment. */
function rules(): Prose[] {
  return ['firestore.rules', 'storage.rules'].flatMap((file) =>
    [...read(file).matchAll(/^ *\/\/ .*(?:\n *\/\/ .*)*/gm)].map(({ 0: comment, index }) => ({
      file,
      line: read(file).slice(0, index).split('\n').length,
      text: comment.replaceAll(/^ *\/\/ /gm, '').replaceAll('\n', ' '),
      kind: 'comment',
    })),
  );
}

function read(file: string): string {
  return readFileSync(`${ROOT}/${file}`, 'utf8');
}

function show({ file, line, text }: Prose): string {
  return `${file}:${line} ${text.trim().slice(0, 100)}`;
}
