import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

/** Two subscriptions of one customer, payments of nobody, refunds, and schedules of support. */
export const BILLING_OVERLAP_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A checkout whose page is being made is withdrawn when there is a plan',
    file: `${ROOM}/checkout/withdrawal/withdraw-checkout.ts`,
    from: 'if (checkout !== undefined && checkout.sessionId === undefined) {',
    to: 'if (checkout === undefined) {',
    tests: ['tests/stories/sold-during-checkout.test.ts'],
  },
  {
    guard: 'A subscription that sales made is not ended as a duplicate',
    file: `${ROOM}/subscriptions/overlap/duplicate.service.ts`,
    from: 'return data.length > 0;',
    to: 'return data.length >= 0;',
    tests: ['tests/stories/two-subscriptions.test.ts'],
  },
  {
    guard: 'The end of a duplicate is recorded once',
    file: `${ROOM}/subscriptions/overlap/duplicate.service.ts`,
    from: '    if (endingDuplicates.includes(id)) return true;\n',
    to: '',
    tests: ['tests/stories/two-subscriptions.test.ts'],
  },
  {
    guard: 'A decision about a duplicate that has ended is dropped',
    file: `${ROOM}/subscriptions/overlap/duplicate.service.ts`,
    from: '    if (!areBothRunning) return false;\n',
    to: '',
    tests: ['tests/stories/two-subscriptions.test.ts'],
  },
  {
    guard: 'An interrupted end of a duplicate is finished',
    file: `${ROOM}/reconcile/subscription-drift.ts`,
    from: 'customer.endingDuplicates?.includes(id) === true || ',
    to: '',
    tests: ['tests/stories/two-subscriptions.test.ts'],
  },
  {
    guard: 'A refund that Stripe rejects does not fail the events of the customer',
    file: `${ROOM}/subscriptions/overlap/duplicate.service.ts`,
    from: '    if (!isInvalidRequest(error)) throw error;\n',
    to: '    if (error) throw error;\n',
    tests: ['tests/stories/two-subscriptions.test.ts'],
  },
  {
    guard: 'A better plan is not ended as a duplicate',
    file: `${ROOM}/subscriptions/overlap/overlap.ts`,
    from: 'isPlanAtLeast(plans, other.plan.slug, plan.slug),',
    to: 'isPlanAtLeast(plans, plan.slug, other.plan.slug),',
    tests: ['functions/src/billing/subscriptions/overlap/overlap.test.ts'],
  },
  {
    guard: 'An open checkout page expires when sales sells a plan',
    file: `${ROOM}/webhook/sync-of-event.service.ts`,
    from: '  if (synced !== undefined) await expireOpenCheckout(backend, synced);\n',
    to: '',
    tests: ['tests/stories/sold-during-checkout.test.ts'],
  },
  {
    guard: 'A payment link whose event was lost gives its plan',
    file: `${ROOM}/reconcile/without-customer.service.ts`,
    from: 'if (await givesPlan(backend, subscription)) found.push(subscription);',
    to: '',
    tests: ['tests/stories/two-subscriptions.test.ts'],
  },
  {
    guard: 'The sessions that a withdrawn checkout has replaced are not forgotten',
    file: 'functions/src/billing/checkout/withdrawal/withdraw-checkout.ts',
    from: "{ 'checkout.idempotencyKey': randomUUID() }",
    to: '{ checkout: REMOVED, ...(randomUUID() && {}) }',
    tests: ['tests/billing-checkout.test.ts'],
  },
  {
    guard: 'A duplicate that was paid in parts is refunded in full',
    file: `${ROOM}/stripe/invoice.ts`,
    from: 'return intentPayments(invoice).map(',
    to: 'return intentPayments(invoice).slice(0, 1).map(',
    tests: ['functions/src/billing/stripe/invoice.test.ts', 'tests/stories/paid-in-parts.test.ts'],
  },
  {
    guard: 'A refund of one of several payments does not end the subscription',
    file: `${ROOM}/webhook/reversal.service.ts`,
    from: ' || !(await isRefundedInFull(backend, found))) return;',
    to: ') return;',
    tests: ['tests/stories/paid-in-parts.test.ts'],
  },
  {
    guard: 'An operator learns of a refund that fails after Stripe has accepted it',
    file: `${ROOM}/webhook/webhook.service.ts`,
    from: "'refund.failed': [handleFailedRefund],",
    to: "'refund.failed': [],",
    tests: ['tests/stories/refunds-and-disputes.test.ts'],
  },
  {
    guard: 'An operator learns of a refund that is canceled after Stripe has accepted it',
    file: `${ROOM}/webhook/webhook.service.ts`,
    from: "'refund.updated': [handleCanceledRefund],",
    to: "'refund.updated': [],",
    tests: ['tests/stories/refunds-and-disputes.test.ts'],
  },
  {
    guard: 'A schedule that support has made is not replaced or released',
    file: `${ROOM}/subscriptions/wanted-items/planned-change.ts`,
    from: "if (laterPhasesOf(schedule).length > 1 || schedule.end_behavior !== 'release') {",
    to: 'if (laterPhasesOf(schedule).length > 9) {',
    tests: ['tests/stories/support-schedules.test.ts'],
  },
];
