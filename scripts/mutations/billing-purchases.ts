import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

export const BILLING_PURCHASES_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A purchase waits for a voucher that is paid after days',
    file: `${ROOM}/purchases/purchase-state.ts`,
    from: 'intent !== null && FAILED.has(intent.status)',
    to: "intent?.status !== 'processing'",
    tests: ['tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'A plan that is bought once ends a subscription with a planned change',
    file: `${ROOM}/purchases/covered.service.ts`,
    from: '      await discardPlannedChange(stripe, subscription);\n',
    to: '',
    tests: ['tests/stories/covered-subscriptions.test.ts'],
  },
];
