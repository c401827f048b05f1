import { ApiError, noSuchObject } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { operation } from '../../api/operation.ts';
import { builtOf, oneOf, required, shape, text } from '../../api/parameters/params.ts';
import type { Customer, TaxId } from '../../objects.ts';
import { emit, inTimeOf, newId } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { referencedCustomer, requestedCustomer } from './customer-object.ts';
import { TAX_ID_TYPES, VERIFIED_TYPES } from './tax-id-types.ts';

const NOUN = 'tax_id';

export const taxIdParams = { type: required(oneOf(...TAX_ID_TYPES)), value: required(text()) };

interface Given {
  type: string;
  value: string;
}

/** Gives a customer a tax ID. A value of a wrong form is refused with `tax_id_invalid`. */
export function createTaxId(unscoped: Scope, customer: Customer, { type, value }: Given): TaxId {
  assertForm({ type, value });
  const scope = inTimeOf(unscoped, customer);
  const taxId: TaxId = {
    id: newId('txi'),
    object: 'tax_id',
    country: countryOf({ type, value }),
    created: scope.now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    owner: { customer: customer.id, customer_account: null, type: 'customer' },
    type,
    value,
    verification: { status: verification({ type, value }), verified_address: null, verified_name: null },
  };
  scope.state.taxIds.insert(taxId);
  emit(scope, 'customer.tax_id.created', taxId);
  return taxId;
}

/** The forms of the types that the hosted pages offer; https://docs.stripe.com/error-codes#tax-id-invalid. */
const FORMS: Readonly<Record<string, RegExp>> = {
  au_abn: /^\d{11}$/,
  ch_vat: /^CHE-?[\d.]{9,11} ?(MWST|TVA|IVA)$/,
  eu_vat: /^[A-Z]{2}[A-Z0-9+*]{2,12}$/,
  gb_vat: /^(GB)?\d{9}(\d{3})?$/,
  us_ein: /^\d{2}-?\d{7}$/,
};

/** Whether a value has the form of its type; types without a known form take any value. */
export function isTaxId({ type, value }: Given): boolean {
  return FORMS[type]?.test(value.replaceAll(/\s/g, '')) ?? true;
}

function assertForm(given: Given): void {
  if (isTaxId(given)) return;
  throw new ApiError(400, {
    type: 'invalid_request_error',
    code: 'tax_id_invalid',
    message: `Invalid value for ${given.type}.`,
    param: 'value',
  });
}

function countryOf({ type, value }: Given): string | null {
  const prefix = type === 'eu_vat' ? value.slice(0, 2) : type.slice(0, 2).toUpperCase();
  return type === 'unknown' || type === 'eu_oss_vat' ? null : prefix;
}

/** Test values end in nine equal digits; https://docs.stripe.com/billing/customer/tax-ids#testing. */
function verification({ type, value }: Given): 'pending' | 'unavailable' | 'unverified' | 'verified' {
  if (!VERIFIED_TYPES.includes(type)) return 'unavailable';
  if (value.endsWith('000000000')) return 'verified';
  return value.endsWith('111111111') ? 'unverified' : 'pending';
}

function remove(scope: Scope, taxId: TaxId): object {
  scope.state.taxIds.remove(taxId.id);
  emit(scope, 'customer.tax_id.deleted', taxId);
  return { id: taxId.id, object: NOUN, deleted: true };
}

function requestedTaxId({ state }: World, id: string, customer?: string): TaxId {
  const taxId = state.taxIds.get(id);
  if (!taxId || (customer !== undefined && taxId.customer !== customer)) throw noSuchObject(NOUN, id);
  return taxId;
}

/** The tax ID of a path with the customer and the tax ID. */
function nested(scope: Scope, ids: string): TaxId {
  const [customer = '', id = ''] = ids.split('/');
  return requestedTaxId(scope, id, requestedCustomer(scope, customer).id);
}

const ownerType = builtOf(['customer'], ['account', 'application', 'self']);
const owner = shape({ customer: required(text()), type: required(ownerType) }, [
  'account',
  'customer_account',
]);

/** https://docs.stripe.com/api/tax_ids and https://docs.stripe.com/api/customer_tax_ids */
export const taxIdOperations = [
  operation({
    method: 'POST',
    path: '/v1/customers/:id/tax_ids',
    params: taxIdParams,
    run: ({ scope, id, params }) => createTaxId(scope, requestedCustomer(scope, id), params),
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id/tax_ids',
    params: pageParams,
    run: ({ scope, id, params }) => {
      const customer = requestedCustomer(scope, id);
      const url = `/v1/customers/${id}/tax_ids`;
      return page(scope.state.taxIds, (row) => row.customer === customer.id, params, { url, noun: NOUN });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id/tax_ids/:child',
    params: {},
    run: ({ scope, id }) => nested(scope, id),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/customers/:id/tax_ids/:child',
    params: {},
    run: ({ scope, id }) => remove(scope, nested(scope, id)),
  }),
  operation({
    method: 'POST',
    path: '/v1/tax_ids',
    params: { ...taxIdParams, owner: required(owner) },
    run: ({ scope, params: { owner: given, ...params } }) =>
      createTaxId(scope, referencedCustomer(scope, given.customer, 'owner[customer]'), params),
  }),
  operation({
    method: 'GET',
    path: '/v1/tax_ids',
    params: { ...pageParams, owner },
    run: ({ scope, params: { owner: given, ...params } }) =>
      page(
        scope.state.taxIds,
        // Without an owner, Stripe lists the account's own tax IDs; here that is nothing.
        (row) => row.customer === (given?.customer ?? ''),
        params,
        { url: '/v1/tax_ids', noun: NOUN },
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/tax_ids/:id',
    params: {},
    run: ({ scope, id }) => requestedTaxId(scope, id),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/tax_ids/:id',
    params: {},
    run: ({ scope, id }) => remove(scope, requestedTaxId(scope, id)),
  }),
];
