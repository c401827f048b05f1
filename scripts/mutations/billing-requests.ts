import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

/** Values and links of clients: with some, a client could pay less, or get the Stripe customer of another. */
export const BILLING_REQUEST_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'Only the user whom a payment link names gets the Stripe customer of the payer',
    file: `${ROOM}/customers/adoption/adopt-for-caller.service.ts`,
    from: "if (reference === caller.uid) return { type: 'user', customerId: reference };",
    to: "if (reference !== null) return { type: 'user', customerId: caller.uid };",
    tests: ['tests/stories/paid-elsewhere.test.ts'],
  },
  {
    guard: 'A payer with another address is not linked',
    file: `${ROOM}/customers/adoption/adopt-for-caller.service.ts`,
    from: 'payer?.email?.toLowerCase() === address;',
    to: 'payer?.email !== undefined;',
    tests: ['tests/stories/paid-elsewhere.test.ts'],
  },
  {
    guard: 'A Stripe customer whose metadata name another user is not linked',
    file: `${ROOM}/customers/adoption/named-subject.service.ts`,
    from: 'return named === undefined || (named.type === type && named.customerId === customerId);',
    to: 'return true || (named?.type === type && named.customerId === customerId);',
    tests: ['tests/stories/paid-elsewhere.test.ts'],
  },
  {
    guard: 'A change of plan is charged from now or from a recent preview',
    file: `${ROOM}/subscriptions/manage/change.service.ts`,
    from: '    requireRecentPreview(backend, prepared.current, change.prorationDate);\n',
    to: '',
    tests: ['tests/stories/proration-date.test.ts'],
  },
  {
    guard: 'An add-on is charged from now or from a recent preview',
    file: `${ROOM}/subscriptions/add-ons/add-ons.service.ts`,
    from: '    requireRecentPreview(backend, current, change.prorationDate);\n',
    to: '',
    tests: ['tests/stories/proration-date.test.ts'],
  },
  {
    guard: 'The same minutes are not credited by several changes',
    file: `${ROOM}/subscriptions/manage/proration-date.ts`,
    from: '!isRecent || prorationDate < latestAt',
    to: '!isRecent',
    tests: [`${ROOM}/subscriptions/manage/proration-date.test.ts`],
  },
  {
    guard: 'The return of a checkout asks Stripe only with the proof',
    file: `${ROOM}/checkout/redirects/return.service.ts`,
    from: '  if (!(await isReturnProofValid(backend, { customer, proof }))) return UNPROVEN;\n',
    to: '',
    tests: ['tests/stories/return-proof.test.ts'],
  },
  {
    guard: 'The proof in a return URL expires',
    file: `${ROOM}/checkout/redirects/return-proof.service.ts`,
    from: "hash('return', `${day}:${customerId}`)",
    to: "hash('return', `${day * 0}:${customerId}`)",
    tests: ['tests/stories/return-proof.test.ts'],
  },
  {
    guard: 'A page that is opened the next day gets the present proof',
    file: 'functions/src/billing/checkout/page/same-cart.ts',
    from: 'return sessionId === undefined\n    ? isDeepStrictEqual(storedCart, cart)',
    to: 'return storedCart === undefined\n    ? isDeepStrictEqual(storedCart, cart)',
    tests: ['tests/stories/return-proof.test.ts'],
  },
  {
    guard: 'An error about a promotion code is recognized without its parameter',
    file: `${ROOM}/stripe/stripe-errors.ts`,
    from: 'return isOfCode || (',
    to: 'return (',
    tests: [`${ROOM}/stripe/stripe-errors.test.ts`],
  },
  {
    guard: 'A search that ignores case finds no Stripe customer of another user',
    file: `${ROOM}/stripe/find-customer.ts`,
    from: 'const found = data.find((customer) => belongsTo(customer, subject));',
    to: 'const [found] = data;',
    tests: ['tests/billing.test.ts'],
  },
];
