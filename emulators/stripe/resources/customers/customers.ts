import { ApiError, noSuchReference } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { list, shape, text, timeRange } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { searchOperation } from '../../api/search-operation.ts';
import type { Customer } from '../../objects.ts';
import { definedOnly } from '../../store/patch.ts';
import { inTimeOf, tentatively, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { createCustomer, deleteCustomer, requestedCustomer } from './customer-object.ts';
import type { NewCustomer } from './customer-object.ts';
import { details, unsupported } from './customer-params.ts';
import { attach, referencedMethod } from './payment-methods.ts';
import { createTaxId, taxIdParams } from './tax-ids.ts';

const LIST = { url: '/v1/customers', noun: 'customer' };

/** https://docs.stripe.com/api/customers */
export const customerOperations = [
  operation({
    method: 'POST',
    path: '/v1/customers',
    params: {
      ...details,
      payment_method: text(),
      tax_id_data: list(shape(taxIdParams), 5),
      test_clock: text(),
    },
    unsupported,
    run: ({ scope, params: { invoice_settings: settings, ...given } }) => {
      const { payment_method: method, tax_id_data: taxIds = [], ...params } = given;
      refuseWrongEmail(params.email);
      const { test_clock: clock } = params;
      if (clock !== undefined && !scope.state.testClocks.get(clock)) {
        throw noSuchReference('test_clock', clock, 'test_clock');
      }
      return tentatively(scope, (trial) => {
        const customer = createCustomer(trial, { test_clock: clock ?? null, ...fromParams(params) });
        if (method !== undefined) attach(inTimeOf(trial, customer), method, customer);
        for (const taxId of taxIds) createTaxId(trial, customer, taxId);
        const invoiceSettings = changedSettings(trial, customer, settings);
        return trial.state.customers.patch(customer.id, { invoice_settings: invoiceSettings });
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
    run: ({ scope, id }) => scope.state.deletedCustomers.get(id) ?? requestedCustomer(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/customers/:id',
    params: details,
    unsupported: [...unsupported, 'default_source'],
    run: ({ scope, id, params: { invoice_settings: settings, ...params } }) => {
      const customer = requestedCustomer(scope, id);
      refuseWrongEmail(params.email);
      return update(scope, 'customer.updated', customer, {
        ...fromParams(params),
        invoice_settings: changedSettings(scope, customer, settings),
        metadata: mergeMetadata(customer.metadata, params.metadata),
      });
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

type Details = Parsed<typeof details>;

/** The properties that parameters set; a name that is cleared is left out, as Stripe does. */
function fromParams(params: Omit<Details, 'invoice_settings'>): NewCustomer {
  const { address, business_name: business, individual_name: individual, shipping, ...rest } = params;
  const { metadata, tax_exempt: exempt, ...plain } = rest;
  return {
    ...definedOnly(plain),
    ...(address !== undefined && { address: address && fullAddress(address) }),
    ...(business !== undefined && { business_name: business ?? '' }),
    ...(individual !== undefined && { individual_name: individual ?? '' }),
    ...(metadata !== undefined && { metadata: mergeMetadata({}, metadata) }),
    ...(shipping !== undefined && {
      shipping: shipping && {
        ...shipping,
        address: fullAddress(shipping.address),
        phone: shipping.phone ?? null,
      },
    }),
    ...(exempt !== undefined && { tax_exempt: exempt ?? 'none' }),
  };
}

function changedSettings(
  scope: Scope,
  customer: Customer,
  given: Details['invoice_settings'],
): Customer['invoice_settings'] {
  const { invoice_settings: current } = customer;
  const { custom_fields: custom, default_payment_method: id, footer } = given ?? {};
  const param = 'invoice_settings[default_payment_method]';
  return {
    ...current,
    ...(custom !== undefined && { custom_fields: custom }),
    ...(footer !== undefined && { footer }),
    ...(id !== undefined && {
      default_payment_method: id && referencedMethod(scope, id, customer, param).id,
    }),
  };
}

function fullAddress(given: Partial<Record<keyof Address, string | null | undefined>>): Address {
  const { city = null, country = null, line1 = null, line2 = null, postal_code = null, state = null } = given;
  return { city, country, line1, line2, postal_code, state };
}

type Address = NonNullable<Customer['address']>;
