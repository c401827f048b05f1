import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

/** Guards of the billing contact. */
export const BILLING_CUSTOMER_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A contact that has not changed costs no call to Stripe',
    file: `${ROOM}/contacts/contact.service.ts`,
    from: 'if (contact === undefined || hasContact(customer, contact)) return;',
    to: 'if (contact === undefined) return;',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'A buyer who may not manage the billing of the team any more receives no invoices',
    file: `${ROOM}/contacts/contact.store.ts`,
    from: "buyer !== undefined && can(buyer.role, 'billing:manage')",
    to: 'buyer !== undefined',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'A new address of a user receives invoices once it is verified',
    file: `${ROOM}/contacts/contact.store.ts`,
    from: 'email: email === null || user.emailVerified ? email : current,',
    to: 'email,',
    tests: ['tests/billing-contacts.test.ts'],
  },
  {
    guard: 'The reconciliation syncs contacts that the queue has lost',
    file: `${ROOM}/reconcile/reconcile.service.ts`,
    from: 'if (hasOtherContact === true) await syncContact(backend, customerId);',
    to: '',
    tests: ['tests/billing-contacts.test.ts'],
  },
];
