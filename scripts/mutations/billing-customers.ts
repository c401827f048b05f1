import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

/** Guards of customers, their billing contact, and changes of plan. */
export const BILLING_CUSTOMER_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A checkout of a deleted account makes no customer',
    file: `${ROOM}/customer-rules.ts`,
    from: 'return users.length > 0;',
    to: 'return users.length >= 0;',
    tests: ['tests/billing-cancel.test.ts'],
  },
  {
    guard: 'A checkout of a team that is being deleted makes no customer',
    file: `${ROOM}/customer-rules.ts`,
    from: 'return team === undefined || isBeingDeleted(team) ? undefined : team;',
    to: 'return team;',
    tests: ['tests/billing-cancel.test.ts'],
  },
  {
    guard: 'The page of a customer that was made during a deletion cannot be paid',
    file: `${ROOM}/customers/purge.service.ts`,
    from: "if (needsClosing(customer, backend.now())) return 'begun_meanwhile';",
    to: '',
    tests: ['tests/billing-cancel.test.ts'],
  },
  {
    guard: 'A team whose first checkout is open has its contact synced',
    file: `${ROOM}/customer-rules.ts`,
    from: 'if (!isCustomer(team)) tx.teams.update(customerId, { subscribed: false });',
    to: '',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'The first buyer of a team with a granted plan gets its invoices',
    file: `${ROOM}/customers/stripe-customer.service.ts`,
    from: 'return lacksBuyer ? firstBuyerOf(subject) : undefined;',
    to: 'return lacksBuyer ? undefined : undefined;',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'A contact that has not changed costs no call to Stripe',
    file: `${ROOM}/customers/contacts/contact.service.ts`,
    from: 'if (contact === undefined || isSameContact(customer, contact)) return;',
    to: 'if (contact === undefined) return;',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'A buyer who may no longer manage the billing of the team receives no invoices',
    file: `${ROOM}/customers/contacts/contact.store.ts`,
    from: "buyer !== undefined && can(buyer.role, 'billing:manage')",
    to: 'buyer !== undefined',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'A new address of a user receives invoices once it is verified',
    file: `${ROOM}/customers/contacts/contact.store.ts`,
    from: 'email: email === null || user.emailVerified ? email : current,',
    to: 'email,',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'The reconciliation syncs contacts that the queue has lost',
    file: `${ROOM}/reconcile/subscriptions/subscriptions.service.ts`,
    from: 'if (hasWrongContact) await syncContact(backend, customerId);',
    to: '',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'A declined seat leaves the team its plan',
    file: `${ROOM}/subscriptions/seats/seats.service.ts`,
    from: "...(waits && { payment_behavior: 'pending_if_incomplete' }),",
    to: '',
    tests: ['tests/stories/declined-seat.test.ts'],
  },
  {
    guard: 'A seat that waits for its payment is not charged again',
    file: `${ROOM}/subscriptions/seats/seats.service.ts`,
    from: '  if (isPending(subscription, change)) return false;\n',
    to: '',
    tests: ['tests/stories/pending-seat.test.ts'],
  },
  {
    guard: 'The app hears of each change of plan',
    file: `${ROOM}/subscriptions/sync/holding.store.ts`,
    from: '  recordPlanChange(tx, {',
    to: '  void (() => recordPlanChange)({',
    tests: ['tests/stories/plan-notices.test.ts'],
  },
  {
    guard: 'A change of plan is deleted after the hook has succeeded',
    file: `${ROOM}/notices/deliver.service.ts`,
    from: '  await backend.appHooks.onPlanChanged({ id, ...change });',
    to: '  await backend.db.planChanges.delete(id);\n  await backend.appHooks.onPlanChanged({ id, ...change });',
    tests: ['tests/stories/plan-notices.test.ts'],
  },
  {
    guard: 'A mail about a plan is written once',
    file: `${ROOM}/notices/plan-mail.service.ts`,
    from: '    if (wasMailed) return;\n',
    to: '',
    tests: ['tests/stories/plan-notices.test.ts'],
  },
  {
    guard: 'Mail about a plan goes to verified addresses only',
    file: `${ROOM}/notices/plan-mail.service.ts`,
    from: '.filter(({ emailVerified }) => emailVerified)',
    to: '',
    tests: ['tests/stories/plan-notices.test.ts'],
  },
  {
    guard: 'One sync of seats, and one of the contact, at a time works for a customer',
    file: `${ROOM}/lease.store.ts`,
    from: "if (current && current.until > now && current.key !== key) throw refusal('busy');",
    to: '',
    tests: ['tests/billing-team.test.ts', 'tests/billing-contacts.test.ts'],
  },
];
