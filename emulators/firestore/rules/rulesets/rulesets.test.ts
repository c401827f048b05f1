import { assertFails, assertSucceeds } from '@firebase/rules-unit-testing';
import { firestoreRules } from '@hearth/security-rules/testing';
import { describe, expect, test } from 'vitest';
import type { FirestoreServer } from '../../server.ts';
import { PROJECT, serveForTest } from '../../testing.ts';
import { environmentOf } from '../testing.ts';

const OPEN = firestoreRules('match /c/{id} { allow read, write; }');
const CLOSED = firestoreRules('match /c/{id} { allow read, write: if false; }');
const BROKEN = firestoreRules('match /c/{id} { allow read: if ; allow write; }');
const ODD = firestoreRules('match /c/{id} { allow read: if nope(); }');

const controlRoute = ({ host, port }: FirestoreServer, rest: string): string =>
  `http://${host}:${port}/emulator/v1/projects/${PROJECT}:${rest}`;

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** As the Firebase CLI does when the file changed. */
async function putAsCli(server: FirestoreServer, content: string): Promise<unknown> {
  const response = await fetch(controlRoute(server, 'securityRules'), {
    method: 'PUT',
    body: JSON.stringify({ ignore_errors: true, rules: { files: [{ name: 'security.rules', content }] } }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** Whether anybody may read in a project. */
async function isOpen(server: FirestoreServer, project = PROJECT): Promise<boolean> {
  const route = `/v1/projects/${project}/databases/(default)/documents/c`;
  return (await fetch(`http://${server.host}:${server.port}${route}`)).status === 200;
}

describe('the rules of a project', () => {
  test('are loaded at the start', async () => {
    const { server } = await serveForTest({ rules: OPEN });
    expect(server.rulesIssues).toEqual([]);
    expect(await isOpen(server)).toBe(true);
  });

  test.each([
    ['without any', {}],
    ['with an error in them', { rules: BROKEN }],
  ])('deny everything %s', async (_name, options) => {
    const { server } = await serveForTest(options);
    expect(server.rulesIssues.length).toBe('rules' in options ? 1 : 0);
    expect(await isOpen(server)).toBe(false);
    expect(await putAsCli(server, OPEN)).toEqual({ issues: [] });
    expect(await isOpen(server)).toBe(true);
  });

  test('are replaced immediately, for that project alone', async () => {
    const { server } = await serveForTest({ rules: OPEN });
    await putAsCli(server, CLOSED);
    expect(await isOpen(server)).toBe(false);
    expect(await isOpen(server, 'demo-other')).toBe(true);
  });

  test('belong to the database if it has its own', async () => {
    const { server } = await serveForTest({ rules: CLOSED });
    const put = (scope: string, content: string): Promise<Response> =>
      fetch(`http://${server.host}:${server.port}/emulator/v1/projects/${PROJECT}${scope}:securityRules`, {
        method: 'PUT',
        body: JSON.stringify({ rules: { files: [{ content }] } }),
      });
    const status = async (database: string): Promise<number> => {
      const route = `/v1/projects/${PROJECT}/databases/${database}/documents/c`;
      return (await fetch(`http://${server.host}:${server.port}${route}`)).status;
    };
    await put('/databases/other', OPEN);
    expect([await status('(default)'), await status('other')]).toEqual([403, 200]);
    await put('', OPEN);
    await put('/databases/other', CLOSED);
    expect([await status('(default)'), await status('other')]).toEqual([200, 403]);
  });

  test('do not change when their replacement has an error, which is reported with its place', async () => {
    const { server } = await serveForTest({ rules: CLOSED });
    expect(await putAsCli(server, BROKEN)).toEqual({
      issues: [
        {
          severity: 'ERROR',
          sourcePosition: { line: 3, column: 29 },
          description: "Missing conditional expression after 'if'.",
        },
      ],
    });
    expect(await isOpen(server)).toBe(false);
  });

  test('are accepted with warnings', async () => {
    const { server } = await serveForTest({ rules: OPEN });
    expect(await putAsCli(server, ODD)).toMatchObject({
      issues: [{ severity: 'WARNING', sourcePosition: { line: 3 } }],
    });
    expect(await isOpen(server)).toBe(false);
  });
});

describe('rules-unit-testing', () => {
  test('loads rules for projects of its own', async () => {
    const served = await serveForTest({ rules: CLOSED });
    const open = await environmentOf(served, { projectId: 'demo-open', rules: OPEN });
    const other = await environmentOf(served, { projectId: 'demo-other' });
    await assertSucceeds(open.unauthenticatedContext().firestore().doc('c/one').get());
    await assertFails(other.unauthenticatedContext().firestore().doc('c/one').get());
  });

  test('gets the errors', async () => {
    const served = await serveForTest();
    await expect(environmentOf(served, { rules: BROKEN })).rejects.toThrow(
      "security.rules:3:29 - ERROR Missing conditional expression after 'if'.",
    );
  });

  test('sets up documents without rules, and clears them', async () => {
    const served = await serveForTest({ rules: CLOSED });
    const environment = await environmentOf(served);
    await environment.withSecurityRulesDisabled((context) => context.firestore().doc('c/one').set({ a: 1 }));
    expect((await served.firestore.doc('c/one').get()).data()).toEqual({ a: 1 });
    await environment.clearFirestore();
    expect((await served.firestore.doc('c/one').get()).exists).toBe(false);
  });
});

describe('coverage', () => {
  const TWO = firestoreRules("match /c/{id} { allow read: if request.auth != null && id == '<b>'; }");

  test('counts the results of each expression', async () => {
    const { server } = await serveForTest({ rules: TWO });
    await isOpen(server);
    await isOpen(server);
    const response = await fetch(controlRoute(server, 'ruleCoverage'));
    expect(await response.json()).toMatchObject({
      rules: { files: [{ content: TWO }] },
      report: [
        {
          sourcePosition: { line: 3, column: 32 },
          values: [{ value: { boolValue: false }, count: 2 }],
          children: [
            { values: [{ value: { boolValue: false }, count: 2 }] },
            { sourcePosition: { line: 3, column: 56 }, values: [] },
          ],
        },
      ],
    });
  });

  test('is shown as a page with the source', async () => {
    const { server } = await serveForTest({ rules: TWO });
    await isOpen(server);
    const response = await fetch(controlRoute(server, 'ruleCoverage.html'));
    expect(response.headers.get('content-type')).toContain('text/html');
    const page = await response.text();
    expect(page).toContain('title="{&quot;boolValue&quot;:false}: 1"');
    expect(page).toContain('title="never evaluated"');
    expect(page).not.toContain('<b>');
    expect(
      page
        .replace(/^.*<body>|<\/body>.*$|<[^>]*>/gs, '')
        .replaceAll(/&(amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? ''),
    ).toBe(TWO);
  });

  test('is not found without rules', async () => {
    const { server } = await serveForTest();
    expect((await fetch(controlRoute(server, 'ruleCoverage'))).status).toBe(404);
  });
});
