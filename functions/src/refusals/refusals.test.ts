import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GERMAN_REFUSALS, GERMAN_REFUSALS_SHARING_A_CODE } from '@hearth/shared/german-refusals';
import ts from 'typescript';
import { expect, expectTypeOf, test } from 'vitest';
import {
  codeOf,
  hasRefusalCode,
  refusal,
  REFUSALS,
  statusOf,
  type RefusalCode,
  type RefusalName,
} from './refusals.ts';

const NAMES = Object.keys(REFUSALS) as RefusalName[];

test('a refusal has the status, the code and the message in REFUSALS', () => {
  const { status, code, message } = refusal('team_not_found');
  expect({ status, code, message }).toEqual({
    status: 404,
    code: 'team_not_found',
    message: 'There is no such team.',
  });
});

test('a message contains its values', () => {
  expect(refusal('team_limit', { limit: 20 }).message).toBe(
    'You already own 20 teams, which is the maximum.',
  );
});

test('a message with values does not compile without them', () => {
  // @ts-expect-error limit is missing
  expect(() => refusal('team_limit')).not.toThrow();
});

test('every code has a status, and every named refusal has the code of another one', () => {
  for (const name of NAMES) {
    expect(statusOf(codeOf(name)), name).toBeGreaterThanOrEqual(400);
    expect(codeOf(codeOf(name)), name).toBe(codeOf(name));
  }
});

test('sizes and times are written for people', () => {
  expect(refusal('quota_exceeded', { size: 500_000_000 }).message).toBe(
    'Your storage of 500 MB is full. Delete files or choose a larger plan.',
  );
  expect(refusal('rate_limit_reached', { wait: 42 }).message).toBe(
    'You have sent too many requests. Try again in 42 seconds.',
  );
});

test.each(Object.entries(REFUSALS).filter(([name]) => name !== 'invalid_request'))(
  'the message of %s is one or more sentences',
  (_name, { message }) => {
    expect(message).toMatch(/^[A-Z{].*\.$/);
    expect(message).not.toContain('bytes');
  },
);

test.each([
  ['team_not_found', 'caller'],
  ['too_many_requests', 'caller'],
  ['internal', 'fault'],
  ['document_damaged', 'fault'],
  ['busy', 'outage'],
  ['storage_unavailable', 'outage'],
] as const)('%s is of the kind %s', (name, kind) => {
  expect(refusal(name).kind).toBe(kind);
});

test('codes are a part of the names', () => {
  expectTypeOf<RefusalCode>().toExtend<RefusalName>();
  expect(refusal('credentials_ended').code).toBe('unauthenticated');
});

test('an outage and a rate limit have a time to retry after', () => {
  expect(refusal('busy').retryAfter).toBe(5);
  expect(refusal('too_many_requests', {}, { retryAfter: 60 }).retryAfter).toBe(60);
  expect(refusal('rate_limit_reached', { wait: 60 }).retryAfter).toBe(60);
  expect(refusal('team_not_found').retryAfter).toBeUndefined();
});

test('hasRefusalCode compares the code', () => {
  expect(hasRefusalCode(refusal('credentials_ended'), 'unauthenticated')).toBe(true);
  expect(hasRefusalCode(refusal('credentials_ended'), 'busy')).toBe(false);
  expect(hasRefusalCode(new Error('busy'), 'busy')).toBe(false);
});

test.each(NAMES)('the refusal %s, or one with its code, is thrown somewhere', (name) => {
  const names = NAMES.filter((other) => other === name || codeOf(other) === name);
  const isThrown = SOURCES.some(({ text, isDeclaration }) =>
    names.some((one) => text.includes(isDeclaration ? `refusal('${one}'` : `'${one}'`)),
  );
  expect(isThrown).toBe(true);
});

/** Files that hand on what a schema has found, which is in English and for developers. */
const SCHEMA_PROBLEMS = [
  'billing/extension/checkout-request.ts',
  'http/validate.ts',
  'uploads/finalize/register.service.ts',
];

test('no sentence is spelled where a refusal is thrown', () => {
  const found = SOURCES.flatMap(({ path, text }) => spelledValues(text).map((value) => `${path}: ${value}`));
  expect(
    found.filter((place) => !SCHEMA_PROBLEMS.some((path) => place.startsWith(`${path}: reason`))),
  ).toEqual([]);
  expect(SCHEMA_PROBLEMS.filter((path) => !found.some((place) => place.startsWith(path)))).toEqual([]);
});

test.each([
  ["refusal('a', { reason })", ['reason']],
  ["refusal('a', { reason: problems.join() })", ['reason: problems.join()']],
  ["refusal('a', { act: 'upload files' })", ["act: 'upload files'"]],
  ['refusal(name, { act: `at most ${max} bytes` })', ['act: `at most ${max} bytes`']],
  ["refusal('a', { act: isTeam ? 'a team' : 'user' })", ["act: isTeam ? 'a team' : 'user'"]],
  [
    "refusal('a', { setting: 'MAIL_WELCOME', url: `${appUrl}/account` }, { cause: new Error('It failed.') })",
    [],
  ],
])('in %s, spelledValues finds %j', (code, found) => {
  expect(spelledValues(code)).toEqual(found);
});

/** The values given to `refusal` that are texts of several words, and every `reason`. */
function spelledValues(code: string): string[] {
  const source = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'refusal') {
      const [, values] = node.arguments;
      const properties =
        values !== undefined && ts.isObjectLiteralExpression(values) ? values.properties : [];
      const spelled = properties.filter((one) => one.name?.getText() === 'reason' || hasSentence(one));
      found.push(...spelled.map((one) => one.getText()));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function hasSentence(node: ts.Node): boolean {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  if (isText && /\p{L}\s+\p{L}/u.test(node.getText().replaceAll(/\$\{[^}]*\}/g, ''))) return true;
  return ts.forEachChild(node, (child) => hasSentence(child) || undefined) ?? false;
}

const ROOT = join(import.meta.dirname, '..');

const SOURCES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^refusals/.test(name))
  .map((name) => ({
    path: name.replaceAll('\\', '/'),
    text: readFileSync(join(ROOT, name), 'utf8'),
    isDeclaration: /\.(routes|schema)\.ts$|^openapi/.test(name),
  }));

test('every code of the API has a message in German, and nothing else has', () => {
  expect(new Set(Object.keys(GERMAN_REFUSALS))).toEqual(new Set(NAMES.map(codeOf)));
  expect(Object.values(GERMAN_REFUSALS).join(' ')).not.toContain('{');
});

test('every name of a refusal has the values of its English message in German', () => {
  const names = Object.keys(
    GERMAN_REFUSALS_SHARING_A_CODE,
  ) as (keyof typeof GERMAN_REFUSALS_SHARING_A_CODE)[];
  expect(names.filter((name) => !NAMES.includes(name))).toEqual([]);
  const withValues = NAMES.filter((name) => placeholdersOf(REFUSALS[name].message).length > 0);
  const without = withValues.filter((name) => !(name in GERMAN_REFUSALS_SHARING_A_CODE));
  expect(without).toEqual(['invalid_request', 'app_check_required']);
  for (const name of names) {
    expect(placeholdersOf(GERMAN_REFUSALS_SHARING_A_CODE[name]), name).toEqual(
      placeholdersOf(REFUSALS[name].message),
    );
  }
});

function placeholdersOf(message: string): string[] {
  return Array.from(message.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).sort();
}
