import type { CheckoutSession, Customer } from '../../objects.ts';
import { customerDetails } from '../../resources/checkout/checkout-session-object.ts';
import { isTaxId } from '../../resources/customers/tax-ids.ts';
import type { Scope } from '../../world.ts';
import { typed } from '../card-check.ts';
import type { Problem } from '../fields.tsx';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const COUNTRIES = [
  ...['AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IN', 'IT'],
  ...['JP', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PT', 'SE', 'SG', 'US', 'ZA'],
];
export const TAX_IDS = ['eu_vat', 'gb_vat', 'ch_vat', 'us_ein', 'au_abn', 'ca_bn', 'jp_cn'] as const;

type Details = NonNullable<CheckoutSession['customer_details']>;

/** The customer of a session, if it has one already. */
export function knownCustomer({ state }: Scope, session: CheckoutSession): Customer | undefined {
  return session.customer === null ? undefined : state.customers.get(session.customer);
}

function wantsAddress({
  automatic_tax: tax,
  billing_address_collection: collection,
}: CheckoutSession): boolean {
  return tax.enabled || collection === 'required';
}

/** A customer who has a tax ID already is not asked for one. */
function wantsTaxId({ state }: Scope, { customer, tax_id_collection: collection }: CheckoutSession): boolean {
  return !!collection?.enabled && !state.taxIds.some((taxId) => taxId.customer === customer);
}

/** The customer's details as typed. They begin with the known details, or with an example address. */
export function typedDetails(
  scope: Scope,
  session: CheckoutSession,
  form: URLSearchParams,
): Map<string, string> {
  const customer = knownCustomer(scope, session);
  return typed(form, {
    ...(session.customer_details?.email ? {} : { email: prefilledEmail(scope, session) }),
    name: customer?.name ?? '',
    ...(wantsAddress(session) && shownAddress(customer?.address)),
    ...(wantsTaxId(scope, session) && { business_name: '', tax_id_type: 'eu_vat', tax_id: '' }),
  });
}

function prefilledEmail({ state }: Scope, session: CheckoutSession): string {
  return state.checkoutDetails.get(session.id)?.prefilledEmail ?? '';
}

const EXAMPLE = {
  line1: '1 Main Street',
  city: 'Springfield',
  postal_code: '62701',
  state: 'IL',
  country: 'US',
};

function shownAddress(known: Customer['address']): Record<keyof typeof EXAMPLE, string> {
  if (!known?.country) return EXAMPLE;
  const { line1, city, postal_code, state, country } = known;
  return {
    line1: line1 ?? '',
    city: city ?? '',
    postal_code: postal_code ?? '',
    state: state ?? '',
    country,
  };
}

/** The first problem of the customer's details, or null. */
export function detailsProblem(
  session: CheckoutSession,
  values: ReadonlyMap<string, string>,
): Problem | null {
  const email = values.get('email');
  if (email !== undefined && !EMAIL.test(email)) {
    return { field: 'email', message: 'Please enter a valid e-mail address.' };
  }
  for (const name of ['line1', 'city', 'postal_code']) {
    if (values.get(name) === '') return { field: name, message: 'Please fill in your billing address.' };
  }
  const taxId = taxIdProblem(session, values);
  if (taxId) return taxId;
  const country = values.get('country');
  if (country !== undefined && !COUNTRIES.includes(country)) {
    return { field: 'country', message: 'Please choose your country.' };
  }
  return null;
}

function taxIdProblem(session: CheckoutSession, values: ReadonlyMap<string, string>): Problem | null {
  const [type, value] = [values.get('tax_id_type') ?? '', values.get('tax_id')];
  if (value === undefined) return null;
  if (value === '' && session.tax_id_collection?.required === 'if_supported')
    return { field: 'tax_id', message: 'Please enter your tax ID.' };
  if (value === '' || isTaxId({ type, value })) return null;
  return { field: 'tax_id', message: 'Your tax ID is invalid.' };
}

/** The payer's details, as the session shows them. */
export function readDetails(session: CheckoutSession, values: ReadonlyMap<string, string>): Details {
  const given = (name: string): string | null => values.get(name) || null;
  const address = values.has('country')
    ? {
        city: given('city'),
        country: given('country'),
        line1: given('line1'),
        line2: null,
        postal_code: given('postal_code'),
        state: given('state'),
      }
    : null;
  const type = TAX_IDS.find((known) => known === values.get('tax_id_type'));
  const value = given('tax_id');
  return customerDetails(
    session.customer_details?.email ?? values.get('email') ?? '',
    given('business_name') ?? given('name'),
    { address, taxIds: type && value ? [{ type, value }] : [] },
  );
}
