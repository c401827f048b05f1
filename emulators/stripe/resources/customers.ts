import { ApiError, noSuchReference } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { clearable, integer, metadata, names, oneOf, shape, text, timeRange } from '../api/params.ts';
import { searchOperation } from '../api/search-operation.ts';
import { byId } from '../state.ts';
import type { Customer } from '../state.ts';
import { update } from '../world.ts';
import type { Scope } from '../world.ts';
import { createCustomer, deleteCustomer, requestedCustomer } from './customer-object.ts';
import { definedOnly } from './patch.ts';
import { referencedMethod } from './payment-methods.ts';

const LIST = { url: '/v1/customers', noun: 'customer' };

const address = shape({
  city: clearable(text()),
  country: clearable(text()),
  line1: clearable(text()),
  line2: clearable(text()),
  postal_code: clearable(text()),
  state: clearable(text()),
});

const details = {
  email: clearable(text(512)),
  name: clearable(text(256)),
  phone: clearable(text(20)),
  description: clearable(text()),
  metadata: clearable(metadata()),
  address: clearable(address),
  balance: integer(),
  tax_exempt: oneOf('exempt', 'none', 'reverse'),
};

const invoiceSettings = shape({ default_payment_method: clearable(text()) }, [
  'custom_fields',
  'footer',
  'rendering_options',
]);

const unsupported = names(`
  business_name cash_balance individual_name invoice_prefix next_invoice_sequence preferred_locales
  shipping source tax validate
`);

/** https://docs.stripe.com/api/customers */
export const customerOperations = [
  operation({
    method: 'POST',
    path: '/v1/customers',
    params: { ...details, test_clock: text() },
    unsupported: [...unsupported, 'invoice_settings', 'payment_method', 'tax_id_data'],
    run: ({ scope, params: { address: given, metadata: patch, test_clock: clock, ...params } }) => {
      refuseWrongEmail(params.email);
      if (clock !== undefined && !byId(scope.state.testClocks, clock)) {
        throw noSuchReference('test_clock', clock, 'test_clock');
      }
      return createCustomer(scope, {
        ...definedOnly(params),
        ...(given && { address: fullAddress(given) }),
        metadata: mergeMetadata({}, patch),
        test_clock: clock ?? null,
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/customers',
    params: { ...pageParams, email: text(512), created: timeRange(), test_clock: text() },
    run: ({ scope, params: { email, created, test_clock: clock = null, ...paging } }) =>
      page(
        scope.state.customers,
        (customer) =>
          customer.test_clock === clock &&
          (email === undefined || customer.email === email) &&
          (created?.(customer.created) ?? true),
        paging,
        LIST,
      ),
  }),
  searchOperation(LIST.url, ['created', 'email', 'metadata', 'name', 'phone'], ({ customers }) => customers),
  operation({
    method: 'GET',
    path: '/v1/customers/:id',
    params: {},
    run: ({ scope, id }) => byId(scope.state.deletedCustomers, id) ?? requestedCustomer(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/customers/:id',
    params: { ...details, invoice_settings: invoiceSettings },
    unsupported: [...unsupported, 'default_source'],
    run: ({
      scope,
      id,
      params: { address: given, invoice_settings: settings, metadata: patch, ...changes },
    }) => {
      const customer = requestedCustomer(scope, id);
      refuseWrongEmail(changes.email);
      update(scope, 'customer.updated', customer, {
        ...definedOnly(changes),
        ...(given !== undefined && { address: given && fullAddress(given) }),
        ...(settings && { invoice_settings: withDefault(scope, customer, settings.default_payment_method) }),
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

/** Stripe wants ASCII and a domain with a dot. https://docs.stripe.com/error-codes#email-invalid */
function refuseWrongEmail(email: string | null | undefined): void {
  if (email === null || email === undefined || /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(email)) return;
  throw new ApiError(400, {
    type: 'invalid_request_error',
    code: 'email_invalid',
    message: `Invalid email address: ${email}`,
    param: 'email',
  });
}

function withDefault(
  scope: Scope,
  customer: Customer,
  id: string | null | undefined,
): Customer['invoice_settings'] {
  const { invoice_settings: current } = customer;
  if (id === undefined) return current;
  const param = 'invoice_settings[default_payment_method]';
  return { ...current, default_payment_method: id && referencedMethod(scope, id, customer, param).id };
}

function fullAddress(given: Partial<Record<keyof Address, string | null | undefined>>): Address {
  const { city = null, country = null, line1 = null, line2 = null, postal_code = null, state = null } = given;
  return { city, country, line1, line2, postal_code, state };
}

type Address = NonNullable<Customer['address']>;
