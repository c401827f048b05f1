import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

/** Changes of subscriptions: by customers, planned ones, by the number of members, and of the payment method. */
export const SUBSCRIPTION_CHANGE_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A change of a subscription with sent invoices does not wait for a payment',
    file: 'functions/src/billing/subscriptions/wanted-items/item-changes.ts',
    from: "return method === 'charge_automatically' ?",
    to: 'return method.length > 0 ?',
    tests: ['tests/stories/sent-invoices.test.ts'],
  },
  {
    guard: 'A planned change to another interval is billed when it takes effect',
    file: `${ROOM}/subscriptions/wanted-items/phases.ts`,
    from: "      ...(changesInterval && { billing_cycle_anchor: 'phase_start' as const }),\n",
    to: '',
    tests: ['tests/stories/manage-subscription.test.ts'],
  },
  {
    guard: 'A change now to another interval begins a new period',
    file: `${ROOM}/subscriptions/wanted-items/item-changes.ts`,
    from: "return changesInterval && status !== 'trialing' ?",
    to: "return changesInterval && status === 'trialing' ?",
    tests: ['tests/stories/manage-subscription.test.ts'],
  },
  {
    guard: 'The first seat beside a base price gets a line item',
    file: `${ROOM}/subscriptions/sync/seats.service.ts`,
    from: 'if (id !== undefined) return { id, quantity };',
    to: 'return { id: id ?? planItemId, quantity };',
    tests: ['tests/stories/base-and-seats.test.ts'],
  },
  {
    guard: 'A line item that the new plan does not have is removed',
    file: `${ROOM}/subscriptions/wanted-items/item-changes.ts`,
    from: 'return [...changed, ...removed.map(({ id }) => ({ id, deleted: true as const }))];',
    to: 'return removed.length < 0 ? [] : changed;',
    tests: ['tests/stories/base-and-seats.test.ts', 'tests/stories/add-ons.test.ts'],
  },
  {
    guard: 'An add-on is added once',
    file: `${ROOM}/subscriptions/add-ons/add-ons.service.ts`,
    from: '  return changeItemsUnderLease(backend, subject, async () => {',
    to: '  return withStripeRefusals(async () => {',
    tests: ['tests/stories/add-ons.test.ts'],
  },
  {
    guard: 'An add-on is not lost with a planned change of plan',
    file: `${ROOM}/subscriptions/add-ons/add-ons.service.ts`,
    from: "throw refusal('plan_change_planned');",
    to: 'return;',
    tests: ['tests/stories/add-ons.test.ts'],
  },
  {
    guard: 'A change that Stripe cannot plan is refused',
    file: 'functions/src/billing/subscriptions/wanted-items/planned-change.ts',
    from: "if (isPhaseRejected(error)) throw refusal('price_not_plannable', {}, { cause: error });",
    to: '',
    tests: ['tests/stories/replaced-prices.test.ts'],
  },
  {
    guard: 'A planned change bills the members at the end of the period',
    file: `${ROOM}/subscriptions/sync/seats.service.ts`,
    from: '  if (scheduledSubscription !== undefined) await updatePlannedSeats(backend, teamId, scheduledSubscription);\n',
    to: '',
    tests: ['tests/stories/planned-seats.test.ts'],
  },
  {
    guard: 'A sent invoice that is not paid gives no credit',
    file: `${ROOM}/subscriptions/wanted-items/change-rules.ts`,
    from: "if (data.length > 0) throw refusal('invoice_unpaid');",
    to: 'void data;',
    tests: ['tests/stories/sent-invoices.test.ts'],
  },
  {
    guard: 'A planned change gives away no usage',
    file: `${ROOM}/subscriptions/wanted-items/change-rules.ts`,
    from: "throw refusal('usage_not_plannable');",
    to: 'return;',
    tests: ['tests/stories/metered-usage.test.ts'],
  },
  {
    guard: 'The return from the form for another card makes the subscriptions pay with it',
    file: `${ROOM}/checkout/redirects/portal-return.service.ts`,
    from: '  if (changed !== undefined) await syncPaymentMethodOf(backend, customerId);\n',
    to: '',
    tests: ['tests/stories/payment-method.test.ts'],
  },
  {
    guard: 'A return from the portal without a new card leaves the card of a subscription',
    file: `${ROOM}/checkout/redirects/portal-return.service.ts`,
    from: 'if (changed !== undefined) await',
    to: 'await',
    tests: ['tests/stories/payment-method.test.ts'],
  },
  {
    guard: 'A subscription whose invoices Stripe sends keeps its payment method',
    file: `${ROOM}/subscriptions/sync/payment-method.service.ts`,
    from: "collection_method !== 'charge_automatically' || own",
    to: 'own',
    tests: ['tests/stories/payment-method.test.ts'],
  },
  {
    guard: 'A payment method that changes during its sync is set too',
    file: `${ROOM}/subscriptions/sync/payment-method.service.ts`,
    from: 'for (const change of wrong) error = (await setMethod(backend, change)) ?? error;',
    to: 'for (const change of wrong) error = (await setMethod(backend, change)) ?? error;\n    return;',
    tests: ['tests/stories/payment-method.test.ts'],
  },
];
