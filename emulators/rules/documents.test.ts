import { describe, expect, test } from 'vitest';
import { DocumentAccess, resource, type ReadTime } from './documents.ts';
import { MAX_DOCUMENT_READS_OF_SEVERAL } from './limits.ts';
import type { RulesRequest } from './request.ts';
import { ask, documentsOf, firestoreRules, inDatabase, mustLoad, referenceTo } from './testing.ts';
import { int, map, NULL, path, string, type MapValue } from './value.ts';

const at = (id: string) => `/databases/$(database)/documents/${id}`;
const condition = (expression: string) =>
  mustLoad(firestoreRules(`match /c/{d} { allow read, write: if ${expression}; }`));
const ADA = map({ name: string('Ada'), team: referenceTo('teams/red') });

describe('get and exists', () => {
  test.each([
    [`get(${at('users/ada')}).data.name == 'Ada'`, true],
    [`get(${at('users/ada')}).id == 'ada'`, true],
    [`get(${at('users/ada')}).__name__ == ${at('users/ada')}`, true],
    [`get(get(${at('users/ada')}).data.team).data.seats == 3`, true],
    [`exists(${at('users/ada')}) && !exists(${at('users/bob')})`, true],
    [`get(${at('users/bob')}).data.name == 'Bob'`, false],
    [`get(${at('users/bob')}) == null`, false],
    [`get(${at('users/bob')}) == null || exists(${at('users/ada')})`, true],
  ])('%s: %s', async (expression, allowed) => {
    const documents = documentsOf({ 'users/ada': ADA, 'teams/red': map({ seats: int(3) }) });

    expect((await ask(condition(expression), { documents })).allowed).toBe(allowed);
  });

  test('read a document once, for any number of calls', async () => {
    const read: string[] = [];
    const documents = new DocumentAccess(({ segments }) => {
      read.push(segments.join('/'));
      return Promise.resolve(ADA);
    });
    const twice = `get(${at('a/b')}).data.name == get(${at('a/b')}).data.name && exists(${at('a/b')})`;

    expect((await ask(condition(twice), { documents })).allowed).toBe(true);
    expect(read).toEqual(['databases/(default)/documents/a/b']);
    expect(documents.reads).toBe(1);
  });

  test('do not read documents that the evaluation does not reach', async () => {
    const documents = documentsOf();

    await ask(condition(`false && exists(${at('a/b')})`), { documents });

    expect(documents.reads).toBe(0);
  });

  test('reject when reading a document rejects', async () => {
    const documents = new DocumentAccess(() => Promise.reject(new Error('unavailable')));

    await expect(ask(condition(`exists(${at('a/b')})`), { documents })).rejects.toThrow('unavailable');
  });
});

describe('getAfter and existsAfter', () => {
  const states: Record<ReadTime, MapValue | undefined> = {
    before: undefined,
    after: map({ count: int(1) }),
  };
  const documents = () => new DocumentAccess((_, when) => Promise.resolve(states[when]));
  const expression = `!exists(${at('a/b')}) && existsAfter(${at('a/b')}) && getAfter(${at('a/b')}).data.count == 1`;

  test('return the documents after the writes', async () => {
    expect((await ask(condition(expression), { method: 'create', documents: documents() })).allowed).toBe(
      true,
    );
  });

  test('do not exist for reads', async () => {
    const { outcomes } = await ask(condition(expression), { documents: documents() });

    expect(outcomes).toMatchObject([{ message: 'Function not found error: Name: [existsAfter].' }]);
  });
});

describe('limits', () => {
  const absent = (count: number, prefix = 'x') =>
    Array.from({ length: count }, (_, i) => `!exists(${at(`a/${prefix}${String(i)}`)})`).join(' && ');

  test('an operation reads 10 documents at most, and nothing recovers from reaching that', async () => {
    expect((await ask(condition(absent(10)))).allowed).toBe(true);
    expect(await ask(condition(`!(${absent(11)}) || true`))).toMatchObject({
      allowed: false,
      message:
        "\nUnable to evaluate the expression as the maximum of 10 document access calls has been reached. for 'get' @ L3",
    });
  });

  test('also in a batch, one operation reads 10 documents at most', async () => {
    const documents = documentsOf({}, MAX_DOCUMENT_READS_OF_SEVERAL);

    expect((await ask(condition(absent(11)), { method: 'update', documents })).allowed).toBe(false);
    expect(documents.reads).toBe(10);
  });

  test('the operations of a batch read at most 20 documents, without documents that were already read', async () => {
    const documents = documentsOf({}, MAX_DOCUMENT_READS_OF_SEVERAL);
    const allowed = async (expression: string) =>
      (await ask(condition(expression), { method: 'update', documents })).allowed;

    expect(await allowed(absent(10, 'first'))).toBe(true);
    expect(await allowed(absent(10, 'first'))).toBe(true);
    expect(await allowed(absent(11, 'second'))).toBe(false);
    expect(await allowed(absent(10, 'second'))).toBe(true);
    expect(await allowed(absent(1, 'third'))).toBe(false);
  });
});

describe('resource', () => {
  const stored = resource(path(inDatabase('c/d')), map({ owner: string('ada'), n: int(1) }));
  const incoming = resource(path(inDatabase('c/d')), map({ owner: string('ada'), n: int(2) }));
  const auth = map({ uid: string('ada'), token: map({ email: string('ada@example.com') }) });

  test.each([
    [
      "resource.data.owner == request.auth.uid && resource.id == 'd' && resource.__name__ == request.path",
      true,
    ],
    ['request.resource.data.n == resource.data.n + 1', true],
    ["request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n'])", true],
    ["request.auth.token.email.matches('.*@example[.]com')", true],
    ["'resource' in request && !('query' in request)", true],
    ["request.method == 'update'", true],
    ["resource.data.owner == 'bob'", false],
    ['request.auth.token.email_verified', false],
  ])('%s: %s', async (expression, allowed) => {
    const request = { method: 'update', resource: stored, newResource: incoming, auth } as const;

    expect((await ask(condition(expression), request)).allowed).toBe(allowed);
  });

  test('a delete leaves null', async () => {
    const request = { method: 'delete', resource: stored, newResource: NULL } as const;

    expect((await ask(condition('request.resource == null'), request)).allowed).toBe(true);
    expect((await ask(condition('request.resource.data.n == 1'), request)).allowed).toBe(false);
  });
});

describe('why a request is denied', () => {
  test.each([
    ['allow get: if false;', "\nfalse for 'get' @ L3"],
    [
      'allow get: if false;\nallow read:\n  if resource.x == 1;',
      "\nfalse for 'get' @ L3, evaluation error at L5:6 for 'get' @ L5, " +
        "false for 'get' @ L3, Null value error. for 'get' @ L5",
    ],
    ['allow get: if request.auth != null && resource.x == 1;', "\nfalse for 'get' @ L3"],
    [
      'allow get: if exists(/databases/$(database)/documents/c/e);',
      "\nevaluation error at L3:30 for 'get' @ L3, false for 'get' @ L3",
    ],
    ['allow get: if request.auth.nope;', twice("Null value error. for 'get' @ L3")],
    ['allow get: if request.nope;', twice("Property nope is undefined on object. for 'get' @ L3")],
    ['allow get: if nope();', twice("Function not found error: Name: [nope]. for 'get' @ L3")],
    ['allow get: if 1 / 0 == 1;', twice("Divide by zero error. for 'get' @ L3")],
    ['allow write;', 'No matching allow statements'],
    ['', 'No matching allow statements'],
  ])('%j: %j', async (statements, message) => {
    const ruleset = mustLoad(firestoreRules(`match /c/{d} { ${statements} }`));

    expect(await ask(ruleset)).toMatchObject({ allowed: false, message });
  });

  const CREATED = resource(referenceTo('c/d'), map({ n: int(1) }));
  const OPEN = { methods: ['create', 'update'], isMerge: false } as const;

  test.each<[title: string, Partial<RulesRequest>, statements: string, message: string]>([
    [
      'a set may be a create or an update',
      { method: 'create', unread: OPEN },
      'allow write: if false;',
      "\nfalse for 'create' @ L3, false for 'update' @ L3",
    ],
    [
      'an update needs the stored document',
      { method: 'create', unread: OPEN },
      'allow create: if false; allow update: if resource.data.n == 1;',
      "\nfalse for 'create' @ L3, evaluation error at L3:57 for 'update' @ L3, false for 'create' @ L3",
    ],
    [
      'a precondition leaves one method',
      { method: 'update', unread: { methods: ['update'], isMerge: false } },
      'allow create: if false; allow update: if false;',
      "\nfalse for 'update' @ L3",
    ],
    [
      'a merge is known with the stored document only',
      { method: 'create', unread: { methods: ['create'], isMerge: true } },
      'allow create: if request.resource.data.nope == 1;',
      "\nevaluation error at L3:33 for 'create' @ L3, Property nope is undefined on object. for 'create' @ L3",
    ],
    [
      'a field that the new document lacks',
      { method: 'create', unread: OPEN },
      'allow create: if request.resource.data.nope == 1;',
      twice("Property nope is undefined on object. for 'create' @ L3"),
    ],
  ])('%s', async (_title, request, statements, message) => {
    const ruleset = mustLoad(firestoreRules(`match /c/{d} { ${statements} }`));

    const { allowed, message: text } = await ask(ruleset, { newResource: CREATED, ...request });
    expect([allowed, text]).toEqual([false, message]);
  });

  test('an allowed request has no message', async () => {
    const ruleset = mustLoad(firestoreRules('match /c/{d} { allow get: if false; allow get; }'));

    expect(await ask(ruleset)).toEqual({
      allowed: true,
      message: '',
      outcomes: [
        { result: 'false', line: 3, column: 30 },
        { result: 'true', line: 3, column: 37 },
      ],
    });
  });
});

/** Both passes of an evaluation come out the same. */
function twice(reason: string): string {
  return `\n${reason}, ${reason}`;
}
