import { describe, expect, test } from 'vitest';
import { ask, DATABASE, firestoreRules, inDatabase, mustLoad } from '../testing.ts';

const allows = async (statements: string, path: string, version: '1' | '2' = '2') =>
  (await ask(mustLoad(firestoreRules(statements, version)), { path: inDatabase(path) })).allowed;

describe('match statements', () => {
  test.each([
    ['/c/{id}', 'c/d', true],
    ['/c/{id}', 'c/d/e/f', false],
    ['/c/{id}', 'c', false],
    ['/c/{id}', 'x/d', false],
    ['/c/d', 'c/d', true],
    ['/c/{id=*}', 'c/d', true],
    ['/{a}/{b}', 'c/d', true],
    ['/c-1/{id}', 'c-1/d', true],
    ['/.private/{id}', '.private/d', true],
  ])('%s matches %s: %s', async (pattern, path, expected) => {
    expect(await allows(`match ${pattern} { allow get; }`, path)).toBe(expected);
  });

  test.each([
    ['1', 'c/d/e/f', true],
    ['1', 'c/d', false],
    ['2', 'c/d/e/f', true],
    ['2', 'c/d', true],
    ['2', 'c', false],
  ] as const)(
    'version %s: a recursive wildcard at the end of /c/{id}/{rest=**} matches %s: %s',
    async (version, path, expected) => {
      expect(await allows('match /c/{id}/{rest=**} { allow get; }', path, version)).toBe(expected);
    },
  );

  test.each([
    ['posts/1', true],
    ['users/ada/posts/1', true],
    ['users/ada/posts/1/comments/2', false],
    ['users/ada', false],
  ])(
    'a recursive wildcard at the beginning of /{any=**}/posts/{id} matches %s: %s',
    async (path, expected) => {
      expect(await allows('match /{any=**}/posts/{id} { allow get; }', path)).toBe(expected);
    },
  );

  test('captures a single segment as a string and the rest as a path', async () => {
    const statements = `match /users/{uid}/{rest=**} {
      allow get: if uid == 'ada' && rest == /posts/1 && rest[1] == '1' && database == '(default)'; }`;

    expect(await allows(statements, 'users/ada/posts/1')).toBe(true);
    expect(await allows(statements, 'users/bob/posts/1')).toBe(false);
  });

  test('a nested match continues where the outer match ended, and sees its captures', async () => {
    const statements = 'match /users/{uid} { match /posts/{id} { allow get: if uid + id == "ada1"; } }';

    expect(await allows(statements, 'users/ada/posts/1')).toBe(true);
    expect(await allows(statements, 'users/ada')).toBe(false);
    expect(await allows(statements, 'posts/1')).toBe(false);
  });

  test('any of several matching statements grants', async () => {
    const statements = `match /c/{id} { allow get: if false; allow get: if null.x; }
      match /{document=**} { allow get: if document[1] == 'd'; }`;

    expect(await allows(statements, 'c/d')).toBe(true);
    expect(await allows(statements, 'c/e')).toBe(false);
  });

  test('a match of another service does not grant', async () => {
    const ruleset = mustLoad(
      "rules_version = '2'; service firebase.storage { match /{all=**} { allow get; } }",
    );

    expect((await ask(ruleset)).allowed).toBe(false);
    expect((await ask(ruleset, { service: 'firebase.storage' })).allowed).toBe(true);
  });

  test('gives up on patterns that match in too many ways instead of searching for hours', async () => {
    const depth = 8;
    const nested = Array.from({ length: depth }, (_, i) => `match /{p${String(i)}=**} {`).join(' ');
    const ruleset = mustLoad(
      firestoreRules(`${nested} match /never/{x} { allow get; } ${'}'.repeat(depth)}`),
    );

    const path = [...DATABASE, ...Array.from({ length: 90 }, () => 'a')];
    expect(await ask(ruleset, { path })).toMatchObject({ allowed: false });
  });
});

describe('methods', () => {
  const methods = ['get', 'list', 'create', 'update', 'delete'] as const;

  test.each([
    ['read', ['get', 'list']],
    ['write', ['create', 'update', 'delete']],
    ['get', ['get']],
    ['list', ['list']],
    ['create', ['create']],
    ['update', ['update']],
    ['delete', ['delete']],
    ['get, delete', ['get', 'delete']],
    ['read, write', methods],
  ])('allow %s grants %j', async (granted, expected) => {
    const ruleset = mustLoad(firestoreRules(`match /c/{d} { allow ${granted}: if true; }`));

    const decisions = await Promise.all(methods.map((method) => ask(ruleset, { method })));

    expect(methods.filter((_, index) => decisions[index]?.allowed)).toEqual(expected);
  });

  test('a request for write as a whole needs all of create, update and delete', async () => {
    const grants = (granted: string) =>
      ask(mustLoad(firestoreRules(`match /c/{d} { allow ${granted}; }`)), { method: 'write' });

    expect((await grants('create, update, delete')).allowed).toBe(true);
    expect((await grants('create, update')).allowed).toBe(false);
  });
});
