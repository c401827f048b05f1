import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadRuleset } from './ruleset.ts';
import { ask, documentsOf, firestoreRules, mustLoad } from './testing.ts';
import { bytes, float, int, list, map, NULL, string, type Value } from './value.ts';

/** A bound on the time of all runs together; a hang would go beyond any. */
const TIME_LIMIT_MS = 1000;

const WORDS = [
  ...[
    'service',
    'cloud.firestore',
    'match',
    'allow',
    'read',
    'write',
    ':',
    'if',
    'function',
    'let',
    'return',
    ';',
    ',',
  ],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '/',
    '/a',
    '/{x}',
    '/{x=**}',
    '$(',
    '.',
    '==',
    '!=',
    '<',
    '&&',
    '||',
    '!',
    '-',
    '+',
  ],
  ...[
    'is',
    'in',
    '?',
    'int',
    'x',
    'request',
    'resource',
    'true',
    'null',
    '1',
    '2.5',
    "'s'",
    '// c\n',
    '/* c */',
    '\\',
    "'",
  ],
];

test('the parser and checker accept any text, and give the place of each mistake', () => {
  const source = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(' ')),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => firestoreRules(words.join(''))),
  );
  fc.assert(
    fc.property(source, (text) => {
      const loaded = loadRuleset(text);
      if ('ruleset' in loaded) return;
      expect(loaded.issues.filter(({ severity }) => severity === 'error')).not.toEqual([]);
      for (const { line, column } of loaded.issues) expect(Math.min(line, column)).toBeGreaterThan(0);
    }),
    { numRuns: 3000, plugins: [fc.interruptAfterTimeLimit(TIME_LIMIT_MS)] },
  );
});

/** Expressions of every kind, most of which fail somewhere when they are evaluated. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const args = fc.array(inner, { maxLength: 3 }).map((parts) => parts.join(', '));
  const names = [
    'size',
    'get',
    'keys',
    'diff',
    'affectedKeys',
    'hasAny',
    'toSet',
    'split',
    'matches',
    'replace',
    'join',
    'bind',
    'toUtf8',
    'seconds',
    'date',
    'concat',
    'constructor',
    '__proto__',
  ];
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'request',
        'resource',
        'resource.data',
        'd',
        'nobody',
        'true',
        'false',
        'null',
        '1',
        '0',
        '-9223372036854775808',
        '1.5',
        "'a'",
        "''",
        "'(a+)+'",
        '[]',
        '{}',
        '/a/b',
        'request.time',
        "duration.value(1, 's')",
        "'x'.toUtf8()",
        'resource.data.list',
        'resource.data.text',
      ),
      fc
        .tuple(
          inner,
          fc.constantFrom('+', '-', '*', ' / ', '%', '==', '!=', '<', '>=', '&&', '||', ' in '),
          inner,
        )
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(fc.constantFrom('!', '-'), inner).map(([op, a]) => `${op}(${a})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(inner, inner).map(([a, b]) => `(${a})[${b}]`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a})[${b}:${c}]`),
      fc.tuple(inner, fc.constantFrom(...names), args).map(([a, name, list_]) => `(${a}).${name}(${list_})`),
      fc
        .tuple(inner, fc.constantFrom('data', 'a', 'constructor', '__proto__', 'toString'))
        .map(([a, name]) => `(${a}).${name}`),
      fc
        .tuple(
          fc.constantFrom(
            'int',
            'float',
            'string',
            'path',
            'debug',
            'get',
            'exists',
            'f',
            'math.abs',
            'math.pow',
            'hashing.crc32c',
            'timestamp.value',
            'latlng.value',
            'toString',
          ),
          args,
        )
        .map(([name, list_]) => `${name}(${list_})`),
      fc
        .tuple(inner, fc.constantFrom('int', 'string', 'list', 'set'))
        .map(([a, type]) => `(${a} is ${type})`),
      args.map((items) => `[${items}]`),
      fc.tuple(inner, inner).map(([key, value]) => `{${key}: ${value}}`),
      inner.map((segment) => `/databases/(default)/documents/c/$(${segment})`),
    ),
  };
});

const { data } = fc.letrec<{ data: Value }>((tie) => ({
  data: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Value>(NULL),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => int(value)),
    fc.double().map(float),
    fc.string().map(string),
    fc.uint8Array({ maxLength: 4 }).map(bytes),
    fc.array(tie('data'), { maxLength: 3 }).map(list),
    fc
      .dictionary(fc.constantFrom('a', 'list', 'text', '__proto__'), tie('data'))
      .map((entries) => map(Object.entries(entries))),
  ),
}));

test('the evaluator accepts any expression; a condition with an error never allows, and neither does its negation', async () => {
  await fc.assert(
    fc.asyncProperty(expression, data, async (text, stored) => {
      const source = (condition: string) =>
        firestoreRules(`function f(a) { let b = a; return b; } match /c/{d} { allow get: if ${condition}; }`);
      const loaded = loadRuleset(source(text));
      if ('issues' in loaded) return;
      const request = {
        resource: map({ data: stored }),
        documents: documentsOf({ 'c/a': map({ a: stored }) }),
      };
      const { allowed, outcomes } = await ask(loaded.ruleset, request);

      const [outcome] = outcomes;
      expect(allowed).toBe(outcome?.result === 'true');
      if (outcome?.result !== 'error') return;
      expect(outcome.message).not.toBe('');
      expect((await ask(mustLoad(source(`!(${text})`)), request)).allowed).toBe(false);
      expect((await ask(mustLoad(source(`(${text}) && true`)), request)).allowed).toBe(false);
    }),
    { numRuns: 2000, plugins: [fc.interruptAfterTimeLimit(TIME_LIMIT_MS)] },
  );
});

test('values beyond the limits of JavaScript are errors', async () => {
  const doublings = Array.from(
    { length: 10 },
    (_, i) => `let v${String(i + 1)} = [v${String(i)}, v${String(i)}];`,
  );
  const ruleset = mustLoad(
    firestoreRules(`function grow(v0) { ${doublings.join(' ')} return v10; }
      match /c/{d} { allow get: if grow(grow(grow('some text to be repeated'))) != []; }`),
  );
  const deep = Array.from({ length: 20_000 }).reduce<Value>((inner) => list([inner]), NULL);

  expect(await ask(ruleset)).toMatchObject({ allowed: false });
  const compared = mustLoad(firestoreRules('match /c/{d} { allow get: if resource == [resource] || true; }'));
  expect(await ask(compared, { resource: deep })).toMatchObject({ allowed: false });
});

test('a pattern on which a backtracking engine never ends is matched immediately', async () => {
  const ruleset = mustLoad(
    firestoreRules("match /c/{d} { allow get: if resource.matches('(a+)+(a|aa)+b'); }"),
  );

  expect(await ask(ruleset, { resource: string('a'.repeat(20_000)) })).toMatchObject({ allowed: false });
});
