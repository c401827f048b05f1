import { describe, expect, test } from 'vitest';
import { loadRuleset } from '../ruleset.ts';
import { ask, firestoreRules, mustLoad, verdictOf } from '../testing.ts';

const allows = async (source: string) => (await ask(mustLoad(source))).allowed;

describe('functions', () => {
  test('take arguments, bind variables and call each other', async () => {
    const source = firestoreRules(`
      function sum(a, b) { let total = a + b; let twice = total * 2; return twice; }
      function isSix(n) { return n == 6; }
      match /c/{d} { allow get: if isSix(sum(1, 2)); }`);

    expect(await allows(source)).toBe(true);
  });

  test('see the captures around their declaration, not those around the call', async () => {
    const source = (body: string) =>
      firestoreRules(`match /c/{d} { function inner() { return d == 'd'; }
        match /nothing/{x} { } allow get: if ${body}; }
        function outer() { return d == 'd'; }`);

    expect(await allows(source('inner()'))).toBe(true);
    expect(await allows(source('outer()'))).toBe(false);
  });

  test('may be declared in the service and outside of it', async () => {
    const source = `rules_version = '2'; function top() { return true; }
      service cloud.firestore { function ofService() { return top(); }
        match /databases/{database}/documents/c/{d} { allow get: if ofService(); } }`;

    expect(await allows(source)).toBe(true);
  });

  test('the nearest one of a name is called', async () => {
    const source = firestoreRules(`function f() { return false; }
      match /c/{d} { function f() { return true; } allow get: if f(); }`);

    expect(await allows(source)).toBe(true);
  });

  test('a parameter hides a capture and a namespace', async () => {
    const source = firestoreRules(`match /c/{d} { function f(d, math) { return d == 'x' && math.size() == 1; }
      allow get: if f('x', [1]); }`);

    expect(await allows(source)).toBe(true);
  });

  test('an argument that fails makes the call fail; a binding that fails only matters where it is used', async () => {
    const rules = (condition: string) =>
      firestoreRules(`function constant(a) { return true; }
        function lazy(yes) { let bad = null.x; return yes || bad; }
        match /c/{d} { allow get: if ${condition}; }`);

    expect(await allows(rules('constant(null.x)'))).toBe(false);
    expect(await allows(rules('lazy(true)'))).toBe(true);
    expect(await allows(rules('lazy(false)'))).toBe(false);
  });

  test('a call with another number of arguments fails when it is evaluated', async () => {
    const source = firestoreRules('function f(a) { return true; } match /c/{d} { allow get: if f(); }');

    expect((await ask(mustLoad(source))).outcomes).toMatchObject([{ result: 'error' }]);
  });

  test('a variable is not seen after the function that binds it', async () => {
    const source = firestoreRules(
      'function f() { let x = 1; return x; } match /c/{d} { allow get: if f() == x; }',
    );

    expect(await allows(source)).toBe(false);
  });
});

describe('limits', () => {
  const chain = (functions: number) =>
    firestoreRules(
      Array.from(
        { length: functions },
        (_, i) =>
          `function f${String(i)}() { return ${i + 1 < functions ? `f${String(i + 1)}()` : 'true'}; }`,
      ).join('\n') + '\nmatch /c/{d} { allow get: if f0(); }',
    );
  const nested = (levels: number) => `${'('.repeat(levels)}true${')'.repeat(levels)}`;
  const bindings = (count: number) =>
    firestoreRules(`function f() { ${Array.from({ length: count }, (_, i) => `let x${String(i)} = 1;`).join(' ')}
      return true; } match /c/{d} { allow get: if f(); }`);
  const problemsOf = (source: string) => {
    const loaded = loadRuleset(source);
    return 'issues' in loaded
      ? loaded.issues.filter(({ severity }) => severity === 'error').map(({ message }) => message)
      : [];
  };

  test('a chain of 21 calls loads, and a chain of 22 calls does not', async () => {
    expect(await allows(chain(21))).toBe(true);
    expect(problemsOf(chain(22))[0]).toMatch(
      /^Maximum allowed call depth of 20 is reached for \[f0->f1->.*->f20\] call stack\.$/,
    );
  });

  test.each([
    ['function f() { return f(); }'],
    ['function f() { return g(); } function g() { return f(); }'],
    ['function f() { let x = g(); return x; } function g() { return h(); } function h() { return !f(); }'],
  ])('refuses the recursion of %s', (functions) => {
    expect(problemsOf(firestoreRules(functions))).toContain('Recursive call is not allowed.');
  });

  test('11 bindings load, 12 do not', () => {
    expect(problemsOf(bindings(11))).toEqual([]);
    expect(problemsOf(bindings(12))).toEqual([
      'Maximum allowed variable count of 10 for a given function has been reached.',
    ]);
  });

  test('7 parameters load, 8 do not', () => {
    const withParameters = (names: string) => firestoreRules(`function f(${names}) { return true; }`);

    expect(problemsOf(withParameters('a, b, c, d, e, f, g'))).toEqual([]);
    expect(problemsOf(withParameters('a, b, c, d, e, f, g, h'))).toHaveLength(1);
  });

  test.each([
    [nested(98), 'T'],
    [nested(99), 'C'],
    [nested(100_000), 'C'],
    [Array.from({ length: 98 }, () => '1 == 1').join(' && '), 'T'],
    [Array.from({ length: 99 }, () => '1 == 1').join(' && '), 'C'],
    [Array.from({ length: 20_000 }, () => 'true').join(' && '), 'C'],
    [`${'!'.repeat(400)}true`, 'T'],
    [`${'!'.repeat(20_000)}true`, 'C'],
    [`request${'.auth'.repeat(300)}`, 'E'],
    [`request${'.auth'.repeat(20_000)}`, 'C'],
    [`${'true ? '.repeat(5000)}true${' : true'.repeat(5000)}`, 'C'],
    [`[${Array.from({ length: 30_000 }, () => '1').join(',')}].size() == 30000`, 'E'],
  ])('nesting is bounded: %.20s… is %s', async (expression, verdict) => {
    expect(await verdictOf(expression)).toBe(verdict);
  });

  test('a request evaluates 1000 expressions at most, and nothing recovers from reaching that', async () => {
    const costly = (terms: number) => `[${Array.from({ length: terms }, () => '1').join(', ')}].size() > 0`;

    expect(await verdictOf(costly(995))).toBe('T');
    expect(await verdictOf(`true || ${costly(1000)}`)).toBe('T');
    expect(await verdictOf(`${costly(1000)} || true`)).toBe('E');
    const source = firestoreRules(`match /c/{d} { allow get: if ${costly(1000)}; allow get: if true; }`);
    expect(await ask(mustLoad(source))).toMatchObject({
      allowed: false,
      message: expect.stringMatching(
        /^\nUnable to evaluate the expression as the maximum of 1000 expressions to evaluate has been reached\. for 'get' @ L3/,
      ) as string,
    });
  });

  test.each([
    ['1', 1],
    ['request.auth', 2],
    ['1 + 2', 3],
    ['true && true', 4],
    ['false && true', 2],
    ['true || true', 2],
    ['true ? 1 : 2', 4],
    ['false ? 1 : 2', 6],
    ["{'a': 1}", 3],
    ['/a/$(d)', 3],
    ['math.abs(1)', 3],
    ["'a'.size()", 2],
    ['f(1)', 5],
    ['null.x || true', 5],
  ])('%s counts as %i expressions', async (expression, cost) => {
    const filled = (fillers: number) =>
      firestoreRules(`function f(a) { let b = a; return b; }
        match /c/{d} { allow get: if [${[expression, ...Array.from({ length: fillers }, () => '1')].join()}].size() > 0; }`);
    const around = 4;

    expect(await allows(filled(1000 - around - cost))).toBe(true);
    expect(await allows(filled(1000 - around - cost + 1))).toBe(false);
  });

  test('a source of 256 KB is too large', () => {
    expect(problemsOf(`//${'x'.repeat(256 * 1024)}`)).toEqual(['The ruleset is larger than 256 KB.']);
  });

  test('match statements are nested at most 10 deep, with 100 segments and 20 captures', () => {
    const deep = (levels: number) =>
      firestoreRules(`${'match /a { '.repeat(levels - 1)}${'}'.repeat(levels - 1)}`);
    const long = (segments: number) => firestoreRules(`match ${'/a'.repeat(segments - 3)} { }`);
    const captures = (count: number) =>
      firestoreRules(`match ${Array.from({ length: count - 1 }, (_, i) => `/{x${String(i)}}`).join('')} { }`);

    for (const [within, beyond] of [
      [deep(10), deep(11)],
      [long(100), long(101)],
      [captures(20), captures(21)],
    ]) {
      expect(problemsOf(within ?? '')).toEqual([]);
      expect(problemsOf(beyond ?? '')).toHaveLength(1);
    }
  });
});
