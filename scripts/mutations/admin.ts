import type { Mutation } from './mutation.ts';

const BILLING = 'functions/src/billing';
const COMPS = ['tests/stories/comped-plans.test.ts'];

/** The actions of operators, and their limits. */
export const ADMIN_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A comped plan counts when a subscription is synced',
    file: `${BILLING}/subscriptions/subscription.store.ts`,
    from: '[...RUNNING, COMPED]',
    to: '[...RUNNING]',
    tests: COMPS,
  },
  {
    guard: 'A comped plan ends at its date',
    file: `${BILLING}/subscriptions/subscription.ts`,
    from: "status === 'past_due' || status === COMPED)",
    to: "status === 'past_due' && status !== COMPED)",
    tests: COMPS,
  },
  {
    guard: 'The reconciliation ends a comped plan only when it is due',
    file: `${BILLING}/comps/comp.service.ts`,
    from: 'until === undefined || until > now()',
    to: 'until !== undefined',
    tests: COMPS,
  },
];
