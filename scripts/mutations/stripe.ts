import type { Mutation } from './mutation.ts';

const STRIPE = 'emulators/stripe';

export const STRIPE_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'An expand that is refused has changed nothing in the local Stripe',
    file: `${STRIPE}/api/pipeline.ts`,
    from: 'if (!(error instanceof InvalidParameter)) commit();',
    to: 'commit();',
    tests: [`${STRIPE}/api/pipeline.test.ts`],
  },
  {
    guard: 'A declined card has failed its invoice, although the request had an expand',
    file: `${STRIPE}/api/pipeline.ts`,
    from: 'if (!(error instanceof InvalidParameter)) commit();',
    to: '',
    tests: [`${STRIPE}/api/pipeline.test.ts`],
  },
  {
    guard: 'A declined card of a single payment leaves a failed intent',
    file: `${STRIPE}/hosted/checkout.ts`,
    from: "if (card.declined && session.mode === 'payment') failPayment(",
    to: 'if (false) failPayment(',
    tests: [`${STRIPE}/payments/checkout-payment.test.ts`],
  },
  {
    guard: "A payment's invoice does not use the customer's balance",
    file: `${STRIPE}/billing/one-time.ts`,
    from: '{ withBalance: false }',
    to: '{ withBalance: true }',
    tests: [`${STRIPE}/payments/checkout-payment.test.ts`],
  },
  {
    guard: 'A payment link that is not active sells nothing',
    file: `${STRIPE}/links/visit.ts`,
    from: 'if (!link.active) return inactive(link.inactive_message);',
    to: '',
    tests: [`${STRIPE}/links/payment-links.test.ts`],
  },
  {
    guard: 'A payment link ends after its number of payments',
    file: `${STRIPE}/links/visit.ts`,
    from: 'active: link.active && count < sessions.limit,',
    to: 'active: link.active,',
    tests: [`${STRIPE}/links/payment-links.test.ts`],
  },
  {
    guard: 'The identifier of a meter event is taken once',
    file: `${STRIPE}/usage/meter-events.ts`,
    from: 'if (recent(scope, id)) throw',
    to: 'if (false) throw',
    tests: [`${STRIPE}/usage/usage.test.ts`],
  },
  {
    guard: 'Usage that arrives late is billed with the draft',
    file: `${STRIPE}/billing/invoices.ts`,
    from: 'if (subscription && recountUsage(scope, invoice)) discountInvoice(scope, subscription, invoice);',
    to: '',
    tests: [`${STRIPE}/usage/usage.test.ts`],
  },
  {
    guard: "Usage is billed within the item's own time",
    file: `${STRIPE}/usage/usage-lines.ts`,
    from: 'const period = { start: Math.max(start, item.created), end };',
    to: 'const period = { start, end };',
    tests: [`${STRIPE}/usage/usage.test.ts`],
  },
  {
    guard: "A trial's usage is free",
    file: `${STRIPE}/billing/renewing.ts`,
    from: "before.status === 'trialing' ? [] : usageLines(",
    to: 'false ? [] : usageLines(',
    tests: [`${STRIPE}/usage/usage.test.ts`],
  },
  {
    guard: 'A one-time price is paid at once, although a trial comes first',
    file: `${STRIPE}/resources/checkout-totals.ts`,
    from: 'trial && price.recurring ? 0',
    to: 'trial ? 0',
    tests: [`${STRIPE}/hosted/checkout-items.test.ts`],
  },
  {
    guard: 'A price is charged in the currency of the subscription',
    file: `${STRIPE}/billing/amounts.ts`,
    from: 'if (currency === price.currency) return price.unit_amount_decimal;',
    to: 'if (currency !== "") return price.unit_amount_decimal;',
    tests: [`${STRIPE}/hosted/checkout-items.test.ts`],
  },
  {
    guard: 'Entitlements that stay the same send no event',
    file: `${STRIPE}/entitlements/active.ts`,
    from: 'if (lost.length === 0 && gained.length === 0) return;',
    to: '',
    tests: [`${STRIPE}/entitlements/entitlements.test.ts`],
  },
];
