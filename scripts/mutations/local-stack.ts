import type { Mutation } from './mutation.ts';

const TESTS = ['tests/alone/local-api.test.ts'];

export const LOCAL_STACK_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A local request waits while the server of the API starts anew',
    file: 'scripts/local-api/relay.cjs',
    from: "code === 'ECONNREFUSED' || code === 'ENOENT'",
    to: 'false',
    tests: TESTS,
  },
  {
    guard: 'A killed server of the local API is started again',
    file: 'scripts/processes.ts',
    from: 'if (listening) startAgain();',
    to: 'if (!listening) startAgain();',
    tests: TESTS,
  },
  {
    guard: 'A server of the local API listens where a killed one did',
    file: 'scripts/local-api/server.ts',
    from: 'for (const file of [socket, waitingRoom(socket)]) rmSync(file, { force: true });',
    to: '',
    tests: TESTS,
  },
  {
    guard: 'The bundle has one copy of a package that npm installed twice',
    file: 'functions/bundling/one-copy.ts',
    from: 'folders.get(found.id) ?? found.folder',
    to: 'found.folder',
    tests: ['tests/alone/bundle.test.ts'],
  },
  {
    guard: 'The demonstration comes back from the payment without the front end of the developer',
    file: 'scripts/seed/people.ts',
    from: '? urls.hosting : origin',
    to: '? urls.app : origin',
    tests: ['tests/seed.test.ts'],
  },
];
