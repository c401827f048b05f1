import { noSuchObject, noSuchReference } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { clearable, metadata, text, timeRange, names } from '../api/params.ts';
import { compileSearch, searchPage, searchParams } from '../api/search.ts';
import { byId } from '../state.ts';
import type { Customer, DeletedCustomer } from '../state.ts';
import { emit, newId, update } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { definedOnly } from './patch.ts';
import { cancelNow } from './subscriptions.ts';

const LIST = { url: '/v1/customers', noun: 'customer' };

const details = {
  email: clearable(text(512)),
  name: clearable(text(256)),
  phone: clearable(text(20)),
  description: clearable(text()),
  metadata: clearable(metadata()),
};

const unsupported = names(`
  address balance business_name cash_balance default_source individual_name invoice_prefix
  invoice_settings next_invoice_sequence payment_method preferred_locales shipping source tax
  tax_exempt tax_id_data test_clock validate
`);

/** The fields that Checkout or the API sets when a customer is made. */
export type NewCustomer = Partial<Pick<Customer, 'email' | 'name' | 'phone' | 'description' | 'metadata'>>;

export function createCustomer(scope: Scope, given: NewCustomer): Customer {
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
    description: given.description ?? null,
    discount: null,
    email: given.email ?? null,
    invoice_prefix: newId('', 8).slice(1).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: given.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  scope.state.customers.push(customer);
  emit(scope, 'customer.created', customer);
  return customer;
}

/** The customer that a parameter names, or the error that Stripe answers; a deleted customer counts as missing. */
export function referencedCustomer({ state }: World, id: string, param = 'customer'): Customer {
  const customer = byId(state.customers, id);
  if (!customer) throw noSuchReference('customer', id, param);
  return customer;
}

function requestedCustomer({ state }: World, id: string): Customer {
  const customer = byId(state.customers, id);
  if (!customer) throw noSuchObject('customer', id);
  return customer;
}

function deleteCustomer(scope: Scope, customer: Customer): DeletedCustomer {
  for (const subscription of scope.state.subscriptions) {
    if (subscription.customer === customer.id && subscription.status !== 'canceled')
      cancelNow(scope, subscription);
  }
  const deleted: DeletedCustomer = { id: customer.id, object: 'customer', deleted: true };
  scope.state.customers.splice(scope.state.customers.indexOf(customer), 1);
  scope.state.deletedCustomers.push(deleted);
  emit(scope, 'customer.deleted', customer);
  return deleted;
}

/** https://docs.stripe.com/api/customers */
export const customerOperations = [
  operation({
    method: 'POST',
    path: '/v1/customers',
    params: details,
    unsupported,
    run: ({ scope, params }) =>
      createCustomer(scope, {
        email: params.email ?? null,
        name: params.name ?? null,
        phone: params.phone ?? null,
        description: params.description ?? null,
        metadata: mergeMetadata({}, params.metadata),
      }),
  }),
  operation({
    method: 'GET',
    path: '/v1/customers',
    params: { ...pageParams, email: text(512), created: timeRange() },
    unsupported: ['test_clock'],
    run: ({ scope, params: { email, created, ...paging } }) =>
      page(
        scope.state.customers,
        (customer) =>
          (email === undefined || customer.email === email) && (created?.(customer.created) ?? true),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/search',
    params: searchParams,
    run: ({ scope, params: { query, limit, page: token } }) => {
      const matches = compileSearch(query, ['created', 'email', 'metadata', 'name', 'phone']);
      const found = scope.state.customers.filter((customer) => matches({ ...customer }));
      return searchPage(found, { limit, page: token }, '/v1/customers/search');
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id',
    params: {},
    run: ({ scope, id }) => byId(scope.state.deletedCustomers, id) ?? requestedCustomer(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/customers/:id',
    params: details,
    unsupported,
    run: ({ scope, id, params: { metadata: patch, ...changes } }) => {
      const customer = requestedCustomer(scope, id);
      update(scope, 'customer.updated', customer, {
        ...definedOnly(changes),
        metadata: mergeMetadata(customer.metadata, patch),
      });
      return customer;
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/customers/:id',
    params: {},
    run: ({ scope, id }) => deleteCustomer(scope, requestedCustomer(scope, id)),
  }),
];
