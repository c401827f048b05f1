import type { Mutation } from './mutation.ts';

const LOCAL = 'emulators/stripe';
const PENDING = [`${LOCAL}/resources/subscriptions/pending-updates.test.ts`];
const SCHEDULES = [`${LOCAL}/resources/schedules/subscription-schedules.test.ts`];
const PORTAL = 'scripts/setup/steps/stripe-portal.ts';
const PORTAL_TESTS = ['scripts/setup/stripe-portal.test.ts'];
const REFUNDS_AND_DISPUTES = [`${LOCAL}/payments/refunds-and-disputes/refunds-and-disputes.test.ts`];

/** Guards of the local Stripe around changes of subscriptions, refunds and limits, and of the portal. */
export const STRIPE_CHANGE_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A pending update leaves the status of its subscription as it is',
    file: `${LOCAL}/billing/subscriptions/payment-outcome.ts`,
    from: 'if (isPendingInvoice(scope, invoice)) return;',
    to: '',
    tests: PENDING,
  },
  {
    guard: 'A pending update expires with the period',
    file: `${LOCAL}/billing/subscriptions/pending-update.ts`,
    from: 'Math.min(scope.now() + PENDING_TIME, periodEnd(subscription))',
    to: 'scope.now() + PENDING_TIME',
    tests: PENDING,
  },
  {
    guard: 'A pending update that is discarded voids its invoice',
    file: `${LOCAL}/billing/subscriptions/pending-update.ts`,
    from: "if (invoice?.status === 'open') voidInvoice(scope, invoice);",
    to: '',
    tests: PENDING,
  },
  {
    guard: 'By default a resumption charges nobody',
    file: `${LOCAL}/resources/subscriptions/subscriptions.ts`,
    from: "behavior: behavior ?? 'resume_on_payment_attempt'",
    to: "behavior: behavior ?? 'resume_on_payment_success'",
    tests: PENDING,
  },
  {
    guard: 'The end of a scheduled subscription is left to its schedule',
    file: `${LOCAL}/resources/subscriptions/subscription-changeable.ts`,
    from: 'if (scheduled !== null && (',
    to: 'if (scheduled === undefined && (',
    tests: SCHEDULES,
  },
  {
    guard: 'A phase that begins with a period is not prorated',
    file: `${LOCAL}/billing/schedules/schedules.ts`,
    from: 'if (scope.now() < periodEnd(subscription)) {',
    to: 'if (scope.now() <= periodEnd(subscription)) {',
    tests: SCHEDULES,
  },
  {
    guard: 'A refund is at most what is left of a charge',
    file: `${LOCAL}/payments/refunds-and-disputes/refunds.ts`,
    from: 'if (amount > left) {',
    to: 'if (amount < 0) {',
    tests: REFUNDS_AND_DISPUTES,
  },
  {
    guard: 'A charge that is disputed cannot be refunded',
    file: `${LOCAL}/payments/refunds-and-disputes/refunds.ts`,
    from: 'if (lost)',
    to: 'if (lost && amount < 0)',
    tests: REFUNDS_AND_DISPUTES,
  },
  {
    guard: 'A payment is canceled with its invoice',
    file: `${LOCAL}/billing/invoices/invoices.ts`,
    from: '  cancelPayment(scope, closed);\n',
    to: '',
    tests: REFUNDS_AND_DISPUTES,
  },
  {
    guard: 'A tax ID belongs to the customer of its path',
    file: `${LOCAL}/resources/customers/tax-ids.ts`,
    from: ' || (customer !== undefined && taxId.customer !== customer)',
    to: '',
    tests: [`${LOCAL}/resources/customers/tax-ids.test.ts`],
  },
  {
    guard: 'A portal pays invoices of its own customer only',
    file: `${LOCAL}/hosted/portal/portal-pay.tsx`,
    from: 'invoice?.customer !== customer.id',
    to: 'invoice === undefined',
    tests: [`${LOCAL}/hosted/portal/portal-schedule.test.ts`],
  },
  {
    guard: 'The limits hold on demand only',
    file: `${LOCAL}/billing/subscriptions/limits.ts`,
    from: '{ limits, now, state }: World, { id }: Subscription): void {\n  if (!limits) return;\n  const made',
    to: '{ now, state }: World, { id }: Subscription): void {\n  const made',
    tests: [`${LOCAL}/billing/subscriptions/limits.test.ts`],
  },
  {
    guard: 'The portal charges a change of plan immediately',
    file: PORTAL,
    from: "proration_behavior: 'always_invoice'",
    to: "proration_behavior: 'none'",
    tests: ['tests/stories/portal.test.ts', 'scripts/local-catalogue.test.ts'],
  },
  {
    guard: 'A set-up compares the products of the portal, which Stripe leaves out of a list',
    file: PORTAL,
    from: '      expand: [`data.${PORTAL_PRODUCTS}`],\n',
    to: '',
    tests: PORTAL_TESTS,
  },
  {
    guard: 'A portal whose products are unknown is not taken for right',
    file: PORTAL,
    from: 'areSame(update.products ?? [], wanted)',
    to: '(update.products === undefined || areSame(update.products ?? [], wanted))',
    tests: PORTAL_TESTS,
  },
  {
    guard: 'An invoice of the local Stripe has its first ten lines only',
    file: `${LOCAL}/api/rendering.ts`,
    from: "name === 'lines' && isList(value)",
    to: "name === '' && isList(value)",
    tests: [`${LOCAL}/resources/invoices/invoice-lines.test.ts`],
  },
  {
    guard: 'The portal does not multiply a base price by the members',
    file: PORTAL,
    from: 'seatLookupKeys(plan).length === 0 &&',
    to: '',
    tests: PORTAL_TESTS,
  },
  {
    guard: 'The portal does not give usage away',
    file: PORTAL,
    from: 'meteredPricesOf(plan).length === 0 &&',
    to: '',
    tests: ['tests/stories/portal.test.ts', ...PORTAL_TESTS],
  },
  {
    guard: 'The portal offers a plan only if every subscriber may have it',
    file: PORTAL,
    from: '[...subscribers].every((type) => plan.for.includes(type))',
    to: 'subscribers.size > 0',
    tests: ['tests/stories/portal.test.ts', ...PORTAL_TESTS],
  },
];
