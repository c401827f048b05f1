import type { Mutation } from './mutation.ts';

const SOURCES = 'functions/src';

export const DATA_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A reference of another program does not end the reading of a document',
    file: `${SOURCES}/firestore/convert.ts`,
    from: '  if (isReference(value)) return new DocumentPath(value.path);\n',
    to: '',
    tests: ['functions/src/firestore/convert.test.ts', 'tests/firestore-db.test.ts'],
  },
  {
    guard: 'A path is stored as a reference',
    file: `${SOURCES}/firestore/convert.ts`,
    from: '  if (value instanceof DocumentPath) return firestore.doc(value.path);\n',
    to: '',
    tests: ['functions/src/firestore/convert.test.ts', 'tests/firestore-db.test.ts'],
  },
  {
    guard: 'The audit log does not keep the address of a deleted account',
    file: `${SOURCES}/personal-data/registry.ts`,
    from: '    forgetAddress,\n',
    to: '',
    tests: ['tests/account-traces.test.ts'],
  },
  {
    guard: 'The audit log does not keep the uid of a deleted account',
    file: `${SOURCES}/personal-data/registry.ts`,
    from: '    forgetActor,\n',
    to: '',
    tests: ['tests/account-traces.test.ts'],
  },
  {
    guard: 'Mail to a deleted account is removed',
    file: `${SOURCES}/personal-data/registry.ts`,
    from: '    removeMailTo,\n',
    to: '',
    tests: ['tests/account-traces.test.ts'],
  },
  {
    guard: 'The export of personal data needs a recent sign-in',
    file: `${SOURCES}/account/export.service.ts`,
    from: '  requireRecentSignIn(caller, backend.now());\n',
    to: '',
    tests: ['tests/account-export.test.ts'],
  },
  {
    guard: 'An entry of the audit log expires',
    file: `${SOURCES}/firestore/db.ts`,
    from: 'auditDays * DAY_MS',
    to: 'auditDays * 10 * DAY_MS',
    tests: ['tests/account-traces.test.ts'],
  },
  {
    guard: 'An address that had a trial gets no other one with a new account',
    file: `${SOURCES}/billing/trials/trial.store.ts`,
    from: '[callerId, addressIdOf(callerEmail)],',
    to: '[callerId, null],',
    tests: ['tests/billing-trials.test.ts'],
  },
  {
    guard: 'An account without a verified address uploads nothing',
    file: `${SOURCES}/uploads/api/require-verified.ts`,
    from: 'if (emailVerified || phoneNumber !== undefined) return;',
    to: 'return;',
    tests: ['tests/uploads-verified.test.ts'],
  },
  {
    guard: 'An object whose bytes were replaced is refused',
    file: `${SOURCES}/uploads/finalize/generation.ts`,
    from: 'return md5Hash !== null && md5Hash !== object.md5Hash;',
    to: 'return md5Hash === undefined;',
    tests: ['tests/uploads-replaced.test.ts'],
  },
  {
    guard: 'The bytes of a refused upload are given back once',
    file: `${SOURCES}/uploads/records/upload.store.ts`,
    from: "return status === 'refused' ? 0 : size;",
    to: 'return size;',
    tests: ['tests/uploads-interrupted.test.ts', 'tests/uploads-direct.test.ts'],
  },
  {
    guard: 'The seats are locked for an invitation that may expire before the commit',
    file: `${SOURCES}/invitations/seats.ts`,
    from: '<= LONGEST_TRANSACTION_MS;',
    to: '< 0;',
    tests: ['tests/concurrency.test.ts'],
  },
  {
    guard: 'The local Firestore serves a past time from the past',
    file: 'emulators/firestore/query/run.ts',
    from: 'const current = readTime === undefined || database.isCurrent(readTime);',
    to: 'const current = true;',
    tests: ['emulators/firestore/transactions/transactions.test.ts'],
  },
];
