import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

/** Words for a person: a capital letter followed by small ones at the beginning, or two words. */
const WORDS = /^\s*\p{Lu}\p{Ll}|\p{Ll}+[,.:]? \p{L}/u;

/** Names of products, which are the same in every language. */
const PRODUCT = /^(Chrome|Edge|Firefox|Safari)$/;

/** Attributes whose values are not for a person. */
const TECHNICAL = /^(class|d|viewBox|style|href|id|key|autocomplete|allow|sizes)$/;

function isSource(file: string): boolean {
  return /\.tsx?$/.test(file) && !/\.test\.tsx?$|^texts\/|\.d\.ts$|^home\/illustration/.test(file);
}

/** Calls whose texts are keys or messages for developers. */
const TECHNICAL_CALLS =
  /^(live|pageOf|useRequest|useLive|useLiveQuery|console\.error|addEventListener|setAttribute)$/;

/** Errors of programmers, keys, classes and types are not translated. */
function isTechnical(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isJsxAttribute(parent)) return TECHNICAL.test(parent.name.getText());
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'Error';
  if (ts.isCallExpression(parent)) return TECHNICAL_CALLS.test(parent.expression.getText());
  if (ts.isVariableDeclaration(parent)) return /^key$|Key$/i.test(parent.name.getText());
  if (ts.isArrowFunction(parent) && ts.isVariableDeclaration(parent.parent)) return isTechnical(parent);
  if (ts.isPropertyAssignment(parent)) return parent.parent.parent.getText().startsWith('CLASSES');
  return (ts.isConditionalExpression(parent) || ts.isJsxExpression(parent)) && isTechnical(parent);
}

function wordsIn(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return /\p{L}\p{Ll}/u.test(node.text) ? node.text : undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return WORDS.test(node.text) && !PRODUCT.test(node.text) && !isTechnical(node) ? node.text : undefined;
  if (!ts.isTemplateExpression(node) || isTechnical(node)) return undefined;
  const text = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
  return WORDS.test(text) ? text : undefined;
}

/** The places of texts for a person in a file, as `path:line text`. */
function textsIn(path: string, source: string): string[] {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const words = wordsIn(node);
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    if (words !== undefined) found.push(`${path}:${line + 1} ${words.trim()}`);
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

it('all texts of the pages are in web/src/texts, where they are translated', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter(isSource);
  expect(files.length).toBeGreaterThan(100);
  const places = files.flatMap((file) => textsIn(file, readFileSync(join(SOURCES, file), 'utf8')));
  expect(places).toEqual([]);
});

it.each([
  ['the words between tags', '<p>Save it</p>'],
  ['one word', '<p>save</p>'],
  ['an attribute', '<Field label="Name" />'],
  ['a message', "showToast('The file is gone.')"],
  ['a text with a value', 'const text = `${count} files are gone`'],
  ['a sentence about a product', "showToast('Firefox cannot do this.')"],
  ['an error for the visitor', "throw new UserFacingError('Not allowed')"],
])('%s in a component are found', (_name, source) => {
  expect(textsIn('page.tsx', source)).toHaveLength(1);
});

it.each([
  ['classes', '<p class="muted small" />'],
  ['errors of programmers', "throw new Error('No such team')"],
  ['keys', "useRequest('account menu', load)"],
  ['keys with a value', 'const countKey = (id) => `number of members ${id}`'],
  ['keys of queries', 'useLiveQuery(email ? `invitations to ${email}` : undefined, load)'],
  ['keys with a name', 'const key = `admin team ${id}`'],
  ['types', "type Kind = 'Mail' | 'Push'"],
  ['names of products', "const browsers = ['Firefox']"],
  ['codes', "const method = 'GET'"],
])('%s are not for a person', (_name, source) => {
  expect(textsIn('page.tsx', source)).toEqual([]);
});
