import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

export const BILLING_USAGE_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A report of usage counts once for its key',
    file: `${ROOM}/usage/report.service.ts`,
    from: 'if (stored !== undefined) {',
    to: 'if (stored !== undefined && stored.value === 0) {',
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'Clients report to open meters only',
    file: `${ROOM}/usage/report.service.ts`,
    from: 'if (!requireMeter(backend.config, usage.meter).fromClients)',
    to: 'if (requireMeter(backend.config, usage.meter).slug.length === 0)',
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'Only members report usage for a team',
    file: `${ROOM}/usage/report.service.ts`,
    from: "if (team !== undefined) await authorize(tx, caller, team, 'usage:report');",
    to: '',
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'A report is in one batch, also if two runs overlap',
    file: `${ROOM}/usage/collect.service.ts`,
    from: '.filter(([, { batchId }]) => batchId === null)',
    to: '',
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'Usage that Stripe has counted before is sent',
    file: `${ROOM}/usage/send.service.ts`,
    from: "if (isKnownIdentifier(error, id)) return done('sent');",
    to: '',
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'Usage is not sent again once Stripe may have forgotten its identifier',
    file: `${ROOM}/usage/send.service.ts`,
    from: "> IDENTIFIER_LIFE_MS) return 'unclear';",
    to: "> 99 * IDENTIFIER_LIFE_MS) return 'unclear';",
    tests: ['tests/usage.test.ts'],
  },
];
