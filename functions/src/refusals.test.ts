import { GERMAN_REFUSALS } from '@hearth/shared/german-refusals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import {
  codeOf,
  isRefusal,
  refuse,
  REFUSALS,
  statusOf,
  type RefusalCode,
  type RefusalName,
} from './refusals.ts';

const NAMES = Object.keys(REFUSALS) as RefusalName[];

test('a refusal has the status, the code and the message of the catalogue', () => {
  const { status, code, message } = refuse('team_not_found');
  expect({ status, code, message }).toEqual({
    status: 404,
    code: 'team_not_found',
    message: 'There is no such team.',
  });
});

test('a message contains its values', () => {
  expect(refuse('team_limit', { limit: 20 }).message).toBe('You already own 20 teams, which is the maximum.');
});

test('a message with values does not compile without them', () => {
  // @ts-expect-error limit is missing
  expect(() => refuse('team_limit')).not.toThrow();
});

test('refusals of one code share its status', () => {
  for (const name of NAMES) expect(REFUSALS[name].status, name).toBe(statusOf(codeOf(name)));
});

test('codes are a part of the names', () => {
  expectTypeOf<RefusalCode>().toExtend<RefusalName>();
  expect(refuse('credentials_ended').code).toBe('unauthenticated');
});

test('a refusal that passes on its own has a time to retry after', () => {
  expect(refuse('busy').retryAfter).toBe(5);
  expect(refuse('too_many_requests', {}, { retryAfter: 60 }).retryAfter).toBe(60);
  expect(refuse('team_not_found').retryAfter).toBeUndefined();
});

test('isRefusal compares the code', () => {
  expect(isRefusal(refuse('credentials_ended'), 'unauthenticated')).toBe(true);
  expect(isRefusal(refuse('credentials_ended'), 'busy')).toBe(false);
  expect(isRefusal(new Error('busy'))).toBe(false);
});

test.each(NAMES)('the refusal %s is thrown somewhere', (name) => {
  const isThrown = SOURCES.some(({ text, isDeclaration }) =>
    text.includes(isDeclaration ? `refuse('${name}'` : `'${name}'`),
  );
  expect(isThrown).toBe(true);
});

const SOURCES = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('refusals'))
  .map((name) => ({
    text: readFileSync(join(import.meta.dirname, name), 'utf8'),
    isDeclaration: /\.(routes|schema)\.ts$|^openapi/.test(name),
  }));

test('every code of the API has a message in German, and nothing else has', () => {
  expect(new Set(Object.keys(GERMAN_REFUSALS))).toEqual(new Set(NAMES.map(codeOf)));
});
