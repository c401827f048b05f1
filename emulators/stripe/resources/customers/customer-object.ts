import { noSuchObject, noSuchReference } from '../../api/errors.ts';
import { endSubscription, hasEnded } from '../../billing/subscriptions/ending.ts';
import type { Customer, DeletedCustomer } from '../../objects.ts';
import { emit, inTimeOf, newId } from '../../world.ts';
import type { Scope, World } from '../../world.ts';

/** The fields that Checkout or the API sets when a customer is made. */
export type NewCustomer = Partial<
  Pick<
    Customer,
    | 'address'
    | 'balance'
    | 'business_name'
    | 'description'
    | 'email'
    | 'individual_name'
    | 'invoice_prefix'
    | 'metadata'
    | 'name'
    | 'next_invoice_sequence'
    | 'phone'
    | 'preferred_locales'
    | 'shipping'
    | 'tax_exempt'
    | 'test_clock'
  >
>;

export function createCustomer(unscoped: Scope, given: NewCustomer): Customer {
  const scope = inTimeOf(unscoped, { test_clock: given.test_clock ?? null });
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: scope.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newId('', 8).slice(1).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...given,
  };
  scope.state.customers.insert(customer);
  emit(scope, 'customer.created', customer);
  return customer;
}

/** The customer that a parameter names, or the error that Stripe answers; a deleted customer counts as missing. */
export function referencedCustomer({ state }: World, id: string, param = 'customer'): Customer {
  const customer = state.customers.get(id);
  if (!customer) throw noSuchReference('customer', id, param);
  return customer;
}

/** The customer that the URL names. */
export function requestedCustomer({ state }: World, id: string): Customer {
  const customer = state.customers.get(id);
  if (!customer) throw noSuchObject('customer', id);
  return customer;
}

/** Ends the customer's subscriptions and forgets the cards; the id stays, as that of a deleted customer. */
export function deleteCustomer(unscoped: Scope, customer: Customer): DeletedCustomer {
  const scope = inTimeOf(unscoped, customer);
  for (const subscription of scope.state.subscriptions) {
    if (subscription.customer === customer.id && !hasEnded(subscription))
      endSubscription(scope, subscription, {});
  }
  const deleted: DeletedCustomer = { id: customer.id, object: 'customer', deleted: true };
  for (const method of scope.state.paymentMethods)
    if (method.customer === customer.id) scope.state.paymentMethods.patch(method.id, { customer: null });
  scope.state.taxIds.removeWhere((taxId) => taxId.customer === customer.id);
  scope.state.customers.remove(customer.id);
  scope.state.deletedCustomers.insert(deleted);
  emit(scope, 'customer.deleted', customer);
  return deleted;
}
