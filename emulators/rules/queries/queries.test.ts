import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resource } from '../documents.ts';
import { ask, DATABASE, firestoreRules, mustLoad, referenceTo } from '../testing.ts';
import { bool, float, int, list, map, NULL, path, string, timestamp, type Value } from '../value.ts';
import type { Filter, FilterOperator, Query } from './query.ts';

const NOTES: Query = { parent: DATABASE, collectionId: 'notes', allDescendants: false };
const ADA = map({ uid: string('ada'), token: map({}) });

const where = (field: string, operator: FilterOperator, value: Value): Filter => ({
  kind: 'field',
  field: field.split('.'),
  operator,
  value,
});
const and = (...filters: Filter[]): Filter => ({ kind: 'and', filters });
const or = (...filters: Filter[]): Filter => ({ kind: 'or', filters });
const filtered = (filter: Filter): Query => ({ ...NOTES, where: filter });
const strings = (...texts: string[]) => list(texts.map(string));

/** Whether a query of /notes is allowed by a condition. */
async function allows(condition: string, query: Query): Promise<boolean> {
  const ruleset = mustLoad(firestoreRules(`match /notes/{id} { allow list: if ${condition}; }`));
  return (await ask(ruleset, { method: 'list', query, auth: ADA })).allowed;
}

const owner = where('owner', '==', string('ada'));

describe('a query is allowed when its condition holds for everything it could return', () => {
  test.each<[string, Query, boolean]>([
    // The condition does not depend on the documents.
    ['request.auth != null', NOTES, true],
    ['request.auth == null', NOTES, false],
    ["request.method == 'list' && request.path[3] == 'notes'", NOTES, true],
    // Equality.
    ['resource.data.owner == request.auth.uid', filtered(owner), true],
    ['request.auth.uid == resource.data.owner', filtered(owner), true],
    ['resource.data.owner == request.auth.uid', NOTES, false],
    ['resource.data.owner == request.auth.uid', filtered(where('owner', '==', string('bob'))), false],
    ['resource.data.owner == request.auth.uid', filtered(where('title', '==', string('ada'))), false],
    ["resource.data.owner != 'bob'", filtered(owner), true],
    ['resource.data.owner is string && resource.data.owner.size() == 3', filtered(owner), true],
    ['resource.data.done', filtered(where('done', '==', bool(true))), true],
    ['resource.data.parent == null', filtered(where('parent', '==', NULL)), true],
    ["resource.data.a.b == 'x'", filtered(where('a.b', '==', string('x'))), true],
    ["resource.data.a.c == 'x'", filtered(where('a.b', '==', string('x'))), false],
    ["'owner' in resource.data", filtered(owner), true],
    ["'title' in resource.data", filtered(owner), false],
    ["!('title' in resource.data)", filtered(owner), false],
    ["resource.data.get('owner', '') == 'ada'", filtered(owner), true],
    ["resource.data.get('visibility', 'public') == 'public'", filtered(owner), false],
    ['resource.data.keys().hasAll(["owner"])', filtered(owner), false],
    ['resource.data.size() > 0', filtered(owner), false],
    ['resource != null && resource.data is map && resource.data != null', NOTES, true],
    ['resource == null', NOTES, false],
    // Several filters.
    [
      "resource.data.owner == 'ada' && resource.data.done == false",
      filtered(and(owner, where('done', '==', bool(false)))),
      true,
    ],
    ["resource.data.owner == 'ada' && resource.data.done == false", filtered(owner), false],
    ["resource.data.done == false || resource.data.owner == 'ada'", filtered(owner), true],
    // Numbers: 1 and 1.0 are the same to a query.
    ['resource.data.n == 1', filtered(where('n', '==', int(1))), true],
    [
      'resource.data.n == 1.0 && resource.data.n < 2 && resource.data.n is number',
      filtered(where('n', '==', int(1))),
      true,
    ],
    ['resource.data.n is int', filtered(where('n', '==', int(1))), false],
    // An item of a list has a type: 1.0 is not in [1].
    ['resource.data.n in [1, 2]', filtered(where('n', '==', float(1))), false],
    ['!(resource.data.n in [3, 4])', filtered(where('n', '==', float(1))), true],
    // Ranges.
    ['resource.data.n > 4', filtered(where('n', '>', int(4))), true],
    ['resource.data.n >= 4', filtered(where('n', '>', int(4))), true],
    ['resource.data.n > 3', filtered(where('n', '>=', int(4))), true],
    ['resource.data.n > 4', filtered(where('n', '>=', int(4))), false],
    ['resource.data.n != 4', filtered(where('n', '>', int(4))), true],
    ['!(resource.data.n < 4)', filtered(where('n', '>=', int(4))), true],
    ['4 < resource.data.n', filtered(where('n', '>', int(5))), true],
    [
      'resource.data.n < 10 && resource.data.n > 0',
      filtered(and(where('n', '<', int(10)), where('n', '>', int(0)))),
      true,
    ],
    ['resource.data.n < 9', filtered(where('n', '<', int(10))), false],
    ["resource.data.n != 'text' && resource.data.n != null", filtered(where('n', '<', int(10))), true],
    ['resource.data.at <= request.time', filtered(where('at', '<', timestamp(5n))), true],
    ["resource.data.name >= 'a'", filtered(where('name', '>=', string('b'))), true],
    ['resource.data.n != 3 && resource.data.n != null', filtered(where('n', '!=', int(3))), true],
    ['resource.data.n != 4', filtered(where('n', '!=', int(3))), false],
    [
      "!(resource.data.state in ['draft', 'deleted'])",
      filtered(where('state', 'not-in', strings('draft', 'deleted', 'x'))),
      true,
    ],
    // Lists.
    [
      'request.auth.uid in resource.data.members',
      filtered(where('members', 'array-contains', string('ada'))),
      true,
    ],
    [
      'request.auth.uid in resource.data.members',
      filtered(where('members', 'array-contains', string('bob'))),
      false,
    ],
    ['!("bob" in resource.data.members)', filtered(where('members', 'array-contains', string('ada'))), false],
    ['resource.data.members is list', filtered(where('members', 'array-contains', string('ada'))), true],
    [
      'resource.data.members.hasAny([request.auth.uid])',
      filtered(where('members', 'array-contains', string('ada'))),
      false,
    ],
    // Alternatives.
    [
      "resource.data.state in ['open', 'closed']",
      filtered(where('state', 'in', strings('open', 'closed'))),
      true,
    ],
    [
      "resource.data.state in ['open', 'closed']",
      filtered(where('state', 'in', strings('open', 'draft'))),
      false,
    ],
    ["resource.data.state == 'open'", filtered(where('state', 'in', strings('open'))), true],
    [
      "'ada' in resource.data.members || 'bob' in resource.data.members",
      filtered(where('members', 'array-contains-any', strings('ada', 'bob'))),
      true,
    ],
    [
      "'ada' in resource.data.members",
      filtered(where('members', 'array-contains-any', strings('ada', 'bob'))),
      false,
    ],
    [
      "resource.data.owner == 'ada' || resource.data.public",
      filtered(or(owner, where('public', '==', bool(true)))),
      true,
    ],
    ["resource.data.owner == 'ada'", filtered(or(owner, where('public', '==', bool(true)))), false],
    [
      "resource.data.owner == 'ada'",
      filtered(and(owner, or(where('n', '==', int(1)), where('n', '>', int(5))))),
      true,
    ],
    ['false', filtered(or()), false],
    ['false', filtered(where('state', 'in', list([]))), false],
    ['false', filtered(and(owner, where('owner', '==', string('bob')))), false],
    // Ids.
    ["id == 'n1'", NOTES, false],
    ["id != 'n1'", NOTES, false],
    ['id is string && id != null', NOTES, true],
    ["id == 'n1' && resource.id == 'n1'", filtered(where('__name__', '==', referenceTo('notes/n1'))), true],
    [
      "id in ['n1', 'n2']",
      filtered(where('__name__', 'in', list([referenceTo('notes/n1'), referenceTo('notes/n2')]))),
      true,
    ],
    ["id == 'n1'", filtered(where('__name__', '==', referenceTo('other/n1'))), false],
    // The query itself.
    ['request.query.limit <= 10', { ...NOTES, limit: 10 }, true],
    ['request.query.limit <= 10', { ...NOTES, limit: 11 }, false],
    ['request.query.limit <= 10', NOTES, false],
    ['request.query.offset == 5', { ...NOTES, offset: 5 }, true],
    ['request.query.offset == 0', NOTES, true],
    ['request.query.orderBy.size() == 0', NOTES, true],
    [
      "request.query.orderBy.created == 'DESC' && 'created' in resource.data",
      { ...NOTES, orderBy: [{ field: ['created'], direction: 'DESC' }] },
      true,
    ],
    [
      'resource.data.created > timestamp.value(0)',
      { ...NOTES, orderBy: [{ field: ['created'], direction: 'DESC' }] },
      false,
    ],
  ])('%s', async (condition, query, expected) => {
    expect(await allows(condition, query)).toBe(expected);
  });

  test('names the field that the filters do not determine', async () => {
    const ruleset = mustLoad(
      firestoreRules("match /notes/{id} { allow list: if resource.data.owner == 'ada'; }"),
    );

    expect(await ask(ruleset, { method: 'list', query: NOTES })).toMatchObject({
      message: "\nProperty owner is undefined on object. for 'list' @ L3",
    });
  });

  test('each alternative may be granted by another statement', async () => {
    const ruleset = mustLoad(
      firestoreRules(`match /notes/{id} { allow list: if resource.data.state == 'open';
        allow list: if resource.data.state == 'closed' && exists(/databases/$(database)/documents/a/b) == false; }`),
    );
    const query = filtered(where('state', 'in', strings('open', 'closed')));

    expect((await ask(ruleset, { method: 'list', query })).allowed).toBe(true);
  });
});

describe('the documents that a query may match', () => {
  const group: Query = { parent: DATABASE, collectionId: 'posts', allDescendants: true };
  const below: Query = {
    parent: [...DATABASE, 'users', 'ada'],
    collectionId: 'posts',
    allDescendants: false,
  };
  const everything: Query = { parent: DATABASE, collectionId: undefined, allDescendants: true };

  test.each<[string, string, Query, boolean]>([
    ['2', '/{path=**}/posts/{id}', group, true],
    ['2', '/{document=**}', group, true],
    ['2', '/posts/{id}', group, false],
    ['2', '/users/{uid}/posts/{id}', group, false],
    ['2', '/users/{uid}/{rest=**}', group, false],
    ['2', '/users/{uid}/posts/{id}', below, true],
    ['2', '/users/ada/posts/{id}', below, true],
    ['2', '/users/bob/posts/{id}', below, false],
    ['2', '/users/{uid}/posts/p1', below, false],
    ['2', '/{path=**}/posts/{id}', below, true],
    ['1', '/users/{uid}/{rest=**}', below, true],
    ['2', '/{document=**}', everything, true],
    ['2', '/{path=**}/posts/{id}', everything, false],
  ])('version %s: %s', async (version, pattern, query, expected) => {
    const ruleset = mustLoad(firestoreRules(`match ${pattern} { allow list; }`, version as '1' | '2'));

    expect((await ask(ruleset, { method: 'list', query })).allowed).toBe(expected);
  });

  test('the part of the path before a collection group is not known', async () => {
    const ruleset = mustLoad(
      firestoreRules(
        "match /{path=**}/posts/{id} { allow list: if path[0] == 'users' && path[1] == 'ada'; }",
      ),
    );

    expect((await ask(ruleset, { method: 'list', query: group })).allowed).toBe(false);
    expect((await ask(ruleset, { method: 'list', query: below })).allowed).toBe(true);
  });
});

describe('soundness', () => {
  const scalar = fc.oneof(
    fc.integer({ min: 0, max: 3 }).map((n) => int(n)),
    fc.integer({ min: 0, max: 3 }).map((n) => float(n)),
    fc.constantFrom('a', 'b').map(string),
    fc.constant<Value>(NULL),
  );
  const fieldName = fc.constantFrom('x', 'y');
  const literal = (value: Value): string =>
    value.type === 'string'
      ? `'${value.value}'`
      : value.type === 'float'
        ? value.value.toFixed(1)
        : value.type === 'int'
          ? String(value.value)
          : 'null';
  const atom = fc.oneof(
    fc
      .tuple(fieldName, fc.constantFrom('==', '!=', '<', '<=', '>', '>='), scalar)
      .map(([field, op, value]) => `resource.data.${field} ${op} ${literal(value)}`),
    fc
      .tuple(fieldName, fc.array(scalar, { maxLength: 3 }))
      .map(([field, values]) => `resource.data.${field} in [${values.map(literal).join(', ')}]`),
    fc
      .tuple(fieldName, fc.constantFrom('int', 'number', 'string'))
      .map(([field, type]) => `resource.data.${field} is ${type}`),
    fieldName.map((field) => `'${field}' in resource.data`),
    fc
      .tuple(fieldName, scalar)
      .map(([field, value]) => `resource.data.get('${field}', 0) == ${literal(value)}`),
  );
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { depthSize: 'small' },
      atom,
      tie('condition').map((inner) => `!(${inner})`),
      fc
        .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
    ),
  }));
  const filter = fc.oneof(
    fc
      .tuple(fieldName, fc.constantFrom<FilterOperator>('==', '!=', '<', '<=', '>', '>='), scalar)
      .map(([field, operator, value]) => where(field, operator, value)),
    fc
      .tuple(
        fieldName,
        fc.constantFrom<FilterOperator>('in', 'not-in'),
        fc.array(scalar, { minLength: 1, maxLength: 3 }),
      )
      .map(([field, operator, values]) => where(field, operator, list(values))),
  );
  const tree = fc.oneof(
    filter,
    fc.array(filter, { minLength: 1, maxLength: 3 }).map((filters) => and(...filters)),
    fc.array(filter, { minLength: 1, maxLength: 3 }).map((filters) => or(...filters)),
  );
  const document = fc.dictionary(fieldName, scalar, { maxKeys: 2 });

  test('a document of a query that is allowed is allowed by itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        condition,
        tree,
        fc.array(document, { minLength: 3, maxLength: 6 }),
        async (text, filters, documents) => {
          const ruleset = mustLoad(firestoreRules(`match /notes/{id} { allow read: if ${text}; }`));
          const query = await ask(ruleset, { method: 'list', query: filtered(filters) });
          fc.pre(query.allowed);
          for (const data of documents.filter((fields) => returns(filters, fields))) {
            const name = [...DATABASE, 'notes', 'n1'];
            const stored = resource(path(name), map(data));
            expect(await ask(ruleset, { path: name, resource: stored })).toMatchObject({ allowed: true });
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  /** Firestore's filters: they find only values of the same type. Integers and doubles are one type. */
  function returns(filters: Filter, fields: Readonly<Record<string, Value>>): boolean {
    if (filters.kind !== 'field') {
      const answers = filters.filters.map((inner) => returns(inner, fields));
      return filters.kind === 'and' ? !answers.includes(false) : answers.includes(true);
    }
    const actual = fields[filters.field[0] ?? ''];
    const { operator, value } = filters;
    if (actual === undefined) return false;
    if (value.type === 'list') {
      const found = value.items.some((item) => plain(item) === plain(actual));
      return operator === 'in' ? found : !found && actual.type !== 'null';
    }
    const [left, right] = [plain(actual), plain(value)];
    if (operator === '==') return left === right;
    if (operator === '!=') return left !== right && left !== null;
    if (left === null || right === null || typeof left !== typeof right) return false;
    return { '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right }[
      operator as '<'
    ];
  }

  const plain = (value: Value): string | number | null =>
    value.type === 'string'
      ? value.value
      : value.type === 'int' || value.type === 'float'
        ? Number(value.value)
        : null;
});
