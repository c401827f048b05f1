import { describe, expect, test } from 'vitest';
import type { Issue } from '../issue.ts';
import { loadRuleset } from '../ruleset.ts';

function issuesOf(source: string): readonly Issue[] {
  const loaded = loadRuleset(source);
  return 'issues' in loaded ? loaded.issues : loaded.ruleset.warnings;
}

const summary = (source: string) =>
  issuesOf(source).map(
    ({ severity, line, column, message }) => `${severity} ${String(line)}:${String(column)} ${message}`,
  );

const service = (body: string) => `rules_version = '2';\nservice cloud.firestore {\n${body}\n}`;

describe('errors, with line and column', () => {
  test.each([
    ['match /a {\n  allow read: if ;\n}', "error 4:15 Missing conditional expression after 'if'."],
    ['match /a {\n  let x = 1;\n}', "error 4:3 Unexpected 'let'."],
    ['match /a {\n  /b/{c} { }\n}', "error 4:3 Missing 'match' keyword before path."],
    ['match /a {\n  allow read: if 4/2 == 2;\n}', "error 4:19 Missing 'match' keyword before path."],
    ['match /a {\n  allow read: if (1;\n}', "error 4:20 Unexpected ';'."],
    ['match /a {\n  allow raed;\n}', "error 4:9 Unexpected 'raed'."],
    ['match /a {\n  allow read: true;\n}', "error 4:15 Unexpected 'true'."],
    ['match /a b { }', "error 3:10 Unexpected 'b'."],
    ["match /a/'b' { }", "error 3:10 mismatched input 'b' expecting {'{', '/', PATH_SEGMENT}"],
    ['match a { }', "error 3:7 Unexpected 'a'."],
    ['function f() { }', "error 3:16 Unexpected '}'."],
    ["match /a { allow read: if 'x; }", "error 3:27 Unexpected '''."],
    ['match /a { allow read: if x # y; }', "error 3:29 Unexpected '#'."],
    ['match /a {', "error 4:2 Unexpected '<EOF>'."],
    ['match /a { allow read: if 1 is nothing; }', 'error 3:27 Invalid type name: nothing.'],
    [
      "match /a { allow read: if ''.matches('['); }",
      'error 3:38 Invalid regular expression pattern. Pattern: [.',
    ],
    [
      'match /{a=**}/{b=**} { }',
      'error 3:1 Invalid glob match expression. Only one glob match is permitted in a match declaration path.',
    ],
    ['function f() { return 1; }\nfunction f(a) { return a; }', 'error 4:1 Function f is already defined.'],
    [
      'function f(a) { let a = 1; return a; }',
      'error 3:17 The identifier [a] is already bound in the current scope.',
    ],
    ['function f() { return f(); }', 'error 3:1 Recursive call is not allowed.'],
  ])('%j', (body, expected) => {
    expect(summary(service(body))).toContain(expected);
    expect('issues' in loadRuleset(service(body))).toBe(true);
  });

  test.each([
    ["rules_version = '3';", 'error 1:17 Invalid rules version: 3.'],
    [
      '{"rules": {}}',
      "error 1:1 mismatched input '{' expecting {'function', 'import', 'service', 'rules_version'}",
    ],
    [
      'service cloud.firestore { match /{a=**}/b { } }',
      'error 1:27 Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path.',
    ],
    [
      '\n\n  // comment\n  /* and\n  another */ oops',
      "error 5:14 mismatched input 'oops' expecting {'function', 'import', 'service', 'rules_version'}",
    ],
  ])('%j', (source, expected) => {
    expect(summary(source)).toContain(expected);
  });
});

describe('warnings, with which a ruleset still loads', () => {
  test.each([
    ['match /a { allow read: if nobody == 1; }', 'warning 3:27 Invalid variable name: nobody.'],
    ['match /a { allow read: if nothing(); }', 'warning 3:27 Invalid function name: nothing.'],
    ['match /a { allow read: if math.nothing(1); }', 'warning 3:27 Invalid function name: math.nothing.'],
    [
      'match /a { allow read: if math.abs(1, 2); }',
      'warning 3:27 Incorrect number of arguments supplied to function: math.abs.',
    ],
    [
      'match /a { allow read: if get(); }',
      'warning 3:27 Incorrect number of arguments supplied to function: get.',
    ],
    ['function f() { return true; }', 'warning 3:1 Unused function: f.'],
    [
      'function f() { let x = 1; return true; } match /a { allow read: if f(); }',
      'warning 3:16 Unused variable: x.',
    ],
    ['match /{a} { } match /b { allow read: if a == 1; }', 'warning 3:42 Invalid variable name: a.'],
  ])('%j', (body, expected) => {
    expect(summary(service(body))).toEqual([expected]);
    expect('ruleset' in loadRuleset(service(body))).toBe(true);
  });

  test('the first version of the language is old', () => {
    expect(summary('service cloud.firestore { }')).toEqual([
      'warning 1:1 Ruleset uses old version (version [1]). Please update to the latest version (version [2]).',
    ]);
  });

  test('a ruleset that uses the whole language has none', () => {
    const body = `
      // Helpers
      function signedIn() { return request.auth != null; }
      function owns(uid, data) { let owner = data.get('owner', ''); return signedIn() && owner == uid; }
      match /databases/{database}/documents {
        match /users/{uid} {
          allow get, list: if owns(uid, resource.data) ? true : request.time < timestamp.date(2030, 1, 1);
          allow create: if request.resource.data.keys().hasOnly(['owner']) && !exists(/databases/$(database)/documents/banned/$(uid));
          allow update: if request.resource.data.diff(resource.data).affectedKeys().size() in [0, 1];
          allow delete: if get(/databases/$(database)/documents/users/$(uid)).data.list[0:1] is list;
          match /{rest=**} { allow read; }
        }
      }`;

    expect(summary(service(body))).toEqual([]);
  });
});
