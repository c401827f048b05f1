import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/http';

/** The lines of the log. */
export const LOG_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A failed schedule logs its stack and its cause',
    file: 'functions/src/index.ts',
    from: "run('timer', (parts) => logIfFailed(() => work(parts)))",
    to: "run('timer', work)",
    tests: ['tests/alone/entry-point.test.ts'],
  },
  {
    guard: 'A failed event logs its cause',
    file: 'functions/src/index.ts',
    from: "run('datasource', (parts) => logIfFailed(() => work(parts)))",
    to: "run('datasource', work)",
    tests: ['tests/alone/entry-point.test.ts'],
  },
  {
    guard: 'The log names a sender over a rate limit once in a minute',
    file: `${ROOM}/request-log.ts`,
    from: '  namings.count(key);\n',
    to: '',
    tests: [`${ROOM}/request-log.test.ts`],
  },
  {
    guard: 'A check of the health writes no line',
    file: `${ROOM}/request-log.ts`,
    from: '      if (route === UNLOGGED_ROUTE && response.statusCode === 200) return;\n',
    to: '',
    tests: [`${ROOM}/request-log.test.ts`],
  },
];
