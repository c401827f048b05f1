import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';
import { filesOf, MARKDOWN, proseOfMarkdown, proseOfTypeScript, TYPESCRIPT, type Prose } from './prose.ts';

const OTHER_CODE = ['*.{json,rules}', '{functions,shared,web,emulators}/*.json', '.github/workflows/*.yml'];

/** Names of other programs that no code of this repository has, by the beginning of the path that has them. */
const NAMES_OF_OTHERS: Record<string, readonly string[]> = {
  'tests/support/extension.ts': ['createCustomerRecord', 'manageSubscriptionStatusChange'],
  'functions/src/backend-clients.ts': ['IdempotencyStrategy.RetryAlways'],
  'scripts/setup/steps/roles.ts': ['iam.automaticIamGrantsForDefaultServiceAccounts'],
  'emulators/': [
    'emulator/storage/rules/expressionValue.ts',
    'isInfinite',
    'math.isInfinite',
    'prettyPrintRulesIssue',
    'ExpressionValue',
    'FirestoreRulesEvaluation',
    'RUN_ENTERPRISE_TESTS',
    'test/lite/pipeline.test.ts',
    'tests/utils/firestore.ts',
  ],
  'docs/authentication.md': ['fetchSignInMethodsForEmail'],
  // Examples of a setting and a function that an app adds.
  'docs/building.md': ['config.yourSetting', 'purgeNotes'],
  'docs/migrating-from-the-stripe-extension.md': ['createPortalLink'],
  'docs/operations.md': [
    'allUsers',
    'iam.allowedPolicyMemberDomains',
    'iam.automaticIamGrantsForDefaultServiceAccounts',
    'serviceusage.serviceUsageConsumer',
    'iam.securityReviewer',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'OTEL_EXPORTER_OTLP_COMPRESSION',
    'OTEL_EXPORTER_OTLP_CERTIFICATE',
  ],
  'docs/privacy.md': ['requestUrl'],
  'docs/runbooks.md': ['minInstances', 'httpRequest.remoteIp'],
};

/** The pages of a project that was created without some folders still speak of them. */
const isWhole = ['web', 'create-hearth'].every((folder) => existsSync(join(ROOT, folder)));

const FILES = filesOf(['**/*', '.github/**/*']);
const SOURCES = filesOf(TYPESCRIPT);
const WORDS = wordsOf([...SOURCES, ...filesOf(OTHER_CODE)]);

/** The words that the service itself may name. Other programs here have functions of the same names as former ones. */
const WORDS_OF_SERVICE = wordsOf([
  ...SOURCES.filter((file) => /^(?:functions|shared)\/src\//.test(file)),
  ...filesOf(['functions/*.ts', ...OTHER_CODE]),
]);

test.each<[code: string, isName: boolean]>([
  ['signIn', true],
  ['tx.users.get', false],
  ['db.changeBatch', true],
  ['copySubscription()', true],
  ['MAX_USERS', true],
  ['latest_invoice', false],
  ['team', false],
  ['a && isB', false],
])('`%s` is a name that must be in the code: %s', (code, isName) => {
  expect(nameIn(code) !== undefined).toBe(isName);
});

test('every name and path of code in comments and pages exists', () => {
  if (!isWhole) return;
  const prose = [
    ...SOURCES.filter((file) => !file.includes('/generated/')).flatMap((file) => commentsOf(file)),
    // The changelog has the former names too.
    ...filesOf(MARKDOWN)
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) => proseOfMarkdown(file, read(file))),
  ];
  const missing = prose.flatMap(({ file, line, text }) =>
    [...text.matchAll(/`([^`]+)`/g)]
      .map(([, code = '']) => code)
      .filter((code) => !exists(file, code) && !isOfOthers(file, code))
      .map((code) => `${file}:${line} ${code}`),
  );
  expect(prose.length).toBeGreaterThan(5_000);
  expect(missing).toEqual([]);
});

test('every name of another program is still used', () => {
  if (!isWhole) return;
  const unused = Object.entries(NAMES_OF_OTHERS).flatMap(([place, names]) => {
    const text = FILES.filter((file) => file.startsWith(place) && /\.(?:md|ts)$/.test(file))
      .map((file) => read(file))
      .join('\n');
    return names.filter((name) => !text.includes(`\`${name}\``));
  });
  expect(unused).toEqual([]);
});

function exists(file: string, code: string): boolean {
  const name = nameIn(code);
  if (name !== undefined) return (file.startsWith('functions/src/') ? WORDS_OF_SERVICE : WORDS).has(name);
  return !isPath(code) || isFile(file, code);
}

/** The last of several names with dots between them, if it has capital letters. Other words may be no code at all. */
function nameIn(code: string): string | undefined {
  const [, name = ''] = /^(?:[\w$]+\.)*([A-Za-z_$][\w$]*)(?:\(\))?$/.exec(code) ?? [];
  return /[a-z][A-Z]|^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) ? name : undefined;
}

/** True for a path to a source of TypeScript. */
function isPath(code: string): boolean {
  return /^[\w./-]+\/[\w.-]+\.tsx?$/.test(code);
}

/** A path is relative to the file that names it, or the end of a path in this repository. */
function isFile(from: string, path: string): boolean {
  const relative = normalize(join(dirname(from), path));
  return FILES.some((file) => file === relative || `/${file}`.endsWith(`/${path}`));
}

function isOfOthers(file: string, code: string): boolean {
  return Object.entries(NAMES_OF_OTHERS).some(
    ([place, names]) => file.startsWith(place) && names.includes(code),
  );
}

function commentsOf(file: string): Prose[] {
  return proseOfTypeScript(file, read(file)).filter(({ kind }) => kind === 'comment');
}

/** All words of code, without its comments. */
function wordsOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(
    files.flatMap((file) => {
      const code = read(file)
        .replaceAll(/\/\*[^]*?\*\//g, ' ')
        .replaceAll(/(?:^|\s)\/\/.*$/gm, ' ');
      return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
    }),
  );
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
