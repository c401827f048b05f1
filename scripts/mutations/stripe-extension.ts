import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

export const STRIPE_EXTENSION_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A checkout of a client returns to pages of the app only',
    file: `${ROOM}/extension/checkout-request.ts`,
    from: 'isSafe && isOwnOrigin(config, origin)',
    to: 'isSafe',
    tests: [`${ROOM}/extension/checkout-request.test.ts`],
  },
  {
    guard: 'A checkout session is answered once',
    file: `${ROOM}/extension/checkout-sessions.service.ts`,
    from: 'return sessionId !== undefined || error !== undefined;',
    to: 'return error !== undefined;',
    tests: ['tests/stories/stripe-extension-client.test.ts'],
  },
  {
    guard: 'A client buys prices of plans only',
    file: `${ROOM}/extension/price-on-sale.ts`,
    from: 'if (id === priceId && data.active)',
    to: 'if (data.active)',
    tests: ['tests/stories/stripe-extension-client.test.ts'],
  },
  {
    guard: 'The checkout sessions of a deleted account are removed',
    file: `${ROOM}/customers/purge.service.ts`,
    from: '    db.checkoutSessions(customerId),\n',
    to: '',
    tests: ['tests/account-delete.test.ts'],
  },
  {
    guard: 'An error that Stripe keeps does not block a checkout for a day',
    file: `${ROOM}/checkout/session/checkout-session.service.ts`,
    from: 'if (needsNewKey(error)) await removeStoredCheckout(backend.db, prepared.subject.customerId, checkout);',
    to: '',
    tests: ['tests/billing-checkout.test.ts'],
  },
  {
    guard: 'An error that Stripe keeps does not block a purchase for a day',
    file: `${ROOM}/checkout/purchases/purchase.service.ts`,
    from: 'if (needsNewKey(error)) await drop();',
    to: '',
    tests: ['tests/stories/one-time-purchases.test.ts'],
  },
  {
    guard: 'A payment keeps its prices when its payment intent changes',
    file: `${ROOM}/extension/payments.service.ts`,
    from: 'prices: prices ?? stored?.prices ?? [] });',
    to: 'prices: prices ?? [] });',
    tests: ['tests/stories/stripe-extension-payments.test.ts'],
  },
  {
    guard: 'No payment is copied for a deleted customer',
    file: `${ROOM}/extension/payments.service.ts`,
    from: 'if (!isCustomer) return;',
    to: '',
    tests: ['tests/stories/stripe-extension-payments.test.ts'],
  },
  {
    guard: 'An invoice of no amount is no payment',
    file: `${ROOM}/extension/payments.service.ts`,
    from: ' || invoice.amount_paid === 0) return [];',
    to: ') return [];',
    tests: ['tests/stories/stripe-extension-payments.test.ts'],
  },
  {
    guard: "The extension's copies of invoices are removed with their customer",
    file: `${ROOM}/customers/purge.service.ts`,
    from: 'if ((await db.purge(invoices, limit)) === limit) return limit;',
    to: 'if (limit < 0) await db.purge(invoices, limit);',
    tests: ['tests/account-delete.test.ts'],
  },
  {
    guard: 'A dry run of the takeover writes no subscription',
    file: 'scripts/takeover/takeover.ts',
    from: 'if (!isDryRun) await syncSubscription(backend, customer.id, id);',
    to: 'await syncSubscription(backend, customer.id, id);',
    tests: ['tests/stories/stripe-extension-takeover.test.ts'],
  },
  {
    guard: 'The takeover copies the prices of the plans first',
    file: 'scripts/takeover/takeover.ts',
    from: 'for (const price of offer.prices) await syncPrice(backend, price);',
    to: '',
    tests: ['tests/stories/stripe-extension-takeover.test.ts'],
  },
  {
    guard: 'A Stripe customer of another user is not taken over',
    file: 'scripts/takeover/extension-customer.ts',
    from: 'if (stripeOwner.id !== undefined && stripeOwner.id !== customer.id) {',
    to: "if (stripeOwner.id === '') {",
    tests: ['scripts/takeover/takeover.test.ts'],
  },
];
