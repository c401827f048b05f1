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
    guard: 'Usage is not sent for a deleted Stripe customer',
    file: `${ROOM}/usage/send.service.ts`,
    from: 'if (!(await customerExists(client, stripeCustomerId))) {',
    to: 'if (!(await customerExists(client, stripeCustomerId)) && batch.value < 0) {',
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'Usage is not sent again once Stripe may have forgotten its identifier',
    file: `${ROOM}/usage/send.service.ts`,
    from: "> IDENTIFIER_LIFE_MS) return 'unclear';",
    to: "> 99 * IDENTIFIER_LIFE_MS) return 'unclear';",
    tests: ['tests/usage.test.ts'],
  },
  {
    guard: 'Entitlements are those that Stripe has now, and end with the subscription',
    file: `${ROOM}/customers/sync-entitlements.service.ts`,
    from: 'if (entitlements.length === 0 && customer.entitlements === undefined) return customer;',
    to: 'if (entitlements.length === 0) return customer;',
    tests: ['tests/stories/entitlements.test.ts'],
  },
  {
    guard: 'Entitlements of others stay while Stripe gives none',
    file: `${ROOM}/subscriptions/sync/claims.service.ts`,
    from: '...(entitlements && {',
    to: '...({',
    tests: ['tests/stories/entitlements.test.ts'],
  },
  {
    guard: 'Lost events of entitlements are found by the reconciliation',
    file: `${ROOM}/reconcile/lost-events.service.ts`,
    from: '.filter(({ id }) => !processed.has(id))',
    to: '.filter(({ id }) => processed.has(id))',
    tests: ['tests/stories/entitlements.test.ts'],
  },
  {
    guard: 'Entitlements without room do not cost the plan',
    file: `${ROOM}/subscriptions/sync/claims.service.ts`,
    from: 'if (await trySetClaims(auth, uid, { ...others, ...withoutEntitlements })) return;',
    to: '',
    tests: ['tests/stories/entitlements.test.ts'],
  },
  {
    guard: 'A replaced page is known after its replacement was removed',
    file: `${ROOM}/purchases/settle.ts`,
    from: 'openPurchase: replaced ?? REMOVED',
    to: 'openPurchase: replaced === undefined ? REMOVED : REMOVED',
    tests: ['tests/billing-reconcile.test.ts'],
  },
  {
    guard: 'No subscription to a plan below an owned one is sold',
    file: `${ROOM}/checkout/session/buying-rules.ts`,
    from: 'owned.some(({ slug }) => isPlanAtLeast(plans, slug, plan.slug))',
    to: 'owned.length > 99',
    tests: ['tests/stories/one-time-purchases.test.ts'],
  },
  {
    guard: 'A line item of usage is sent to Stripe without a quantity',
    file: `${ROOM}/subscriptions/wanted-items/item-changes.ts`,
    from: '...(quantity !== undefined && { quantity })',
    to: '...{ quantity: quantity ?? 1 }',
    tests: [
      'functions/src/billing/subscriptions/holding-add-ons.test.ts',
      'tests/stories/metered-usage.test.ts',
    ],
  },
];
