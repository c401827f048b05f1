/**
 * Finds the English text of the repository: comments, test titles and messages in TypeScript, and the blocks of
 * Markdown files. `language.test.ts`, `names-in-prose.test.ts` and `docs.test.ts` check it.
 */
import { globSync } from 'node:fs';
import ts from 'typescript';
import packageJson from '../package.json' with { type: 'json' };
import { ROOT } from './paths.ts';

/** False in a project that was made from this repository. Its README belongs to its owner, and no test reads it. */
export const IS_HEARTH: boolean = packageJson.name === 'hearth';

export const MARKDOWN = [
  ...(IS_HEARTH ? ['README.md'] : []),
  '{CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'docs/**/*.md',
  '{shared,client,web,create-hearth,emulators}/README.md',
  'examples/*/README.md',
  'emulators/{firestore,inbox,latency,rules,stripe,testing}/README.md',
];

export const TYPESCRIPT = [
  '*.{ts,js}',
  'functions/*.ts',
  'functions/bundling/**/*.ts',
  '{functions/src,tests,shared,client/src,web,examples,bench}/**/*.{ts,tsx}',
  '{scripts,create-hearth}/**/*.ts',
  'emulators/{bin,conformance,firestore,inbox,latency,rules,stripe,testing}/**/*.{ts,tsx}',
];

/** The files that match one of the patterns, without built ones. @returns paths from the root of the repository */
export function filesOf(patterns: readonly string[]): string[] {
  const exclude = ['**/node_modules/**', 'web/dist/**', 'functions/lib/**'];
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude }));
}

/** A piece of text with its place. */
export interface Prose {
  /** Path from the root of the repository. */
  file: string;
  line: number;
  text: string;
  /** `title` is the title of a test or of a group of tests, `block` and `cell` are parts of Markdown. */
  kind: 'comment' | 'string' | 'title' | 'block' | 'cell';
}

/** Comments and string literals of a TypeScript source. */
export function proseOfTypeScript(file: string, source: string): Prose[] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => root.getLineAndCharacterOfPosition(position).line + 1;
  const strings = stringsOf(root).map(({ node, text }) => ({
    file,
    line: lineOf(node.getStart()),
    text,
    kind: isTitle(node) ? ('title' as const) : ('string' as const),
  }));
  const comments = commentsOf(root).map(({ position, text }) => ({
    file,
    line: lineOf(position),
    text,
    kind: 'comment' as const,
  }));
  return [...comments, ...strings];
}

/** The titles of all tests and groups of a TypeScript source. */
export function testTitlesOf(file: string, source: string): string[] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return stringsOf(root).flatMap(({ node, text }) => (isTitle(node) ? [text] : []));
}

interface FoundString {
  node: ts.Node;
  text: string;
}

function stringsOf(root: ts.SourceFile): FoundString[] {
  const found: FoundString[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined) found.push({ node, text });
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** True for the first argument of `test`, `it` or `describe`. */
function isTitle(node: ts.Node): boolean {
  const parent = node.parent as ts.Node | undefined;
  if (parent === undefined || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  return /^(?:test|it|describe)\b/.test(parent.expression.getText());
}

/** All comments. Line comments in adjacent lines are one, unless code comes before one of them. */
function commentsOf(root: ts.SourceFile): { position: number; text: string }[] {
  const source = root.text;
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ]) {
      ranges.set(range.pos, range);
    }
    for (const child of node.getChildren(root)) collect(child);
  };
  collect(root);
  const comments: { position: number; end: number; isLine: boolean; text: string }[] = [];
  for (const { pos, end, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const isShort = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const isLine = isShort && /(?:^|\n)[ \t]*$/.test(source.slice(0, pos));
    const text = isShort ? source.slice(pos + 2, end).trim() : plainBlock(source.slice(pos + 2, end - 2));
    const last = comments.at(-1);
    const continues = isLine && last?.isLine === true && source.slice(last.end, pos).trim() === '';
    if (continues) Object.assign(last, { end, text: `${last.text} ${text}` });
    else comments.push({ position: pos, end, isLine, text });
  }
  return comments;
}

/** A block comment without its stars and examples; each tag such as `@returns` begins a paragraph. */
function plainBlock(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\*+/, ''))
    .filter((line) => !/^\s{4,}/.test(line))
    .map((line) => line.trim())
    .map((line) => line.replace(/^@param \S+ /, '\n\n').replace(/^@\w+ /, '\n\n'))
    .map((line) => (line === '' ? '\n\n' : line.replace(/^- /, '\n\n')))
    .join(' ');
}

/** Headings, paragraphs, list items and table cells of a Markdown file, without code blocks. */
export function proseOfMarkdown(file: string, source: string): Prose[] {
  const found: Prose[] = [];
  let paragraph: Prose | undefined;
  let isCode = false;
  for (const [index, line] of source.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || /^\s*(?:```|$)/.test(line)) {
      paragraph = undefined;
      continue;
    }
    const place = { file, line: index + 1 };
    if (line.startsWith('|')) {
      paragraph = undefined;
      found.push(...cellsOf(line).map((text) => ({ ...place, text, kind: 'cell' as const })));
      continue;
    }
    const begin = /^\s*(?:#+|[-*]|\d+\.)\s+/.exec(line)?.[0];
    if (paragraph === undefined || begin !== undefined) {
      paragraph = { ...place, text: line.slice(begin?.length ?? 0).trim(), kind: 'block' };
      found.push(paragraph);
    } else {
      paragraph.text += ` ${line.trim()}`;
    }
  }
  return found;
}

function cellsOf(row: string): string[] {
  return row
    .slice(1)
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
