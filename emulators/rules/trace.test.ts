import { expect, test } from 'vitest';
import { children, type Expression } from './ast.ts';
import { EvaluationError } from './errors.ts';
import { ask, firestoreRules, mustLoad } from './testing.ts';
import type { Value } from './value.ts';

const SOURCE = firestoreRules(
  "match /c/{d} { allow get: if (!exists(/databases/(default)/documents/a/$(d)) && d.nope) || !(d[0:1] + 'x' in ['dx']) ; }",
);

test('traces every evaluated expression once, although documents are read during the evaluation', async () => {
  const told: [string, string][] = [];

  await ask(mustLoad(SOURCE), {
    trace: ({ position, end }: Expression, outcome: Value | EvaluationError) => {
      const text = SOURCE.slice(position.offset, end);
      told.push([text, outcome instanceof EvaluationError ? 'error' : outcome.type]);
    },
  });

  expect(told).toEqual([
    ['d', 'string'],
    ['/databases/(default)/documents/a/$(d)', 'path'],
    ['exists(/databases/(default)/documents/a/$(d))', 'bool'],
    ['!exists(/databases/(default)/documents/a/$(d))', 'bool'],
    ['d', 'string'],
    ['d.nope', 'error'],
    ['!exists(/databases/(default)/documents/a/$(d)) && d.nope', 'error'],
    ['d', 'string'],
    ['0', 'int'],
    ['1', 'int'],
    ['d[0:1]', 'string'],
    ["'x'", 'string'],
    ["d[0:1] + 'x'", 'string'],
    ["'dx'", 'string'],
    ["['dx']", 'list'],
    ["d[0:1] + 'x' in ['dx']", 'bool'],
    ["!(d[0:1] + 'x' in ['dx'])", 'bool'],
    [expect.stringContaining('||'), 'error'],
  ]);
});

test('every expression of the tree has its place in the source', () => {
  const { tree } = mustLoad(SOURCE);
  const condition = tree.services[0]?.matches[0]?.matches[0]?.allows[0]?.condition;
  const texts: string[] = [];
  const visit = (expression: Expression): void => {
    texts.push(SOURCE.slice(expression.position.offset, expression.end));
    children(expression).forEach(visit);
  };
  if (condition !== undefined) visit(condition);

  expect(texts).toHaveLength(18);
  expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true);
});
