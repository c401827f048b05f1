import { isTaxId } from '../resources/tax-ids.ts';
import { customerDetails } from '../resources/checkout-session-object.ts';
import type { CheckoutSession, Customer } from '../state.ts';
import type { Scope } from '../world.ts';
import { typed } from './card-form.ts';
import { choice, field } from './fields.ts';
import type { Problem } from './fields.ts';
import { html } from './html.ts';
import type { Markup } from './html.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const COUNTRIES = [
  ...['AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IN', 'IT'],
  ...['JP', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PT', 'SE', 'SG', 'US', 'ZA'],
];
const TAX_IDS = ['eu_vat', 'gb_vat', 'ch_vat', 'us_ein', 'au_abn', 'ca_bn', 'jp_cn'] as const;

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

/** What was typed about the customer, beginning with what is known and an address to try. */
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

/** What is wrong with what was typed about the customer, or null. */
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

/** Who pays, as the session will show it. */
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

/** The fields that the session asks for. */
export function detailFields(values: ReadonlyMap<string, string>, problem: Problem | null): Markup {
  const input = (name: string, label: string, autocomplete: string, required = false): Markup | null =>
    values.has(name)
      ? field({ name, label, value: values.get(name) ?? '', autocomplete, required }, problem)
      : null;
  const email = { name: 'email', label: 'E-mail', value: values.get('email') ?? '' };
  return html`${
    values.has('email')
      ? field({ ...email, type: 'email', autocomplete: 'email', inputmode: 'email', required: true }, problem)
      : null
  }
  ${input('name', 'Name', 'name')}
  ${
    values.has('country')
      ? html`<fieldset>
          <legend>Billing address</legend>
          ${input('line1', 'Street', 'address-line1', true)} ${input('city', 'City', 'address-level2', true)}
          ${input('postal_code', 'Postal code', 'postal-code', true)}
          ${input('state', 'State', 'address-level1')}
          ${choice('country', 'Country', countryNames(), values.get('country') ?? '')}
        </fieldset>`
      : null
  }
  ${
    values.has('tax_id')
      ? html`<fieldset>
          <legend>For businesses</legend>
          ${input('business_name', 'Business name', 'organization')}
          ${choice(
            'tax_id_type',
            'Kind of tax ID',
            TAX_IDS.map((type) => [type, type.replace('_', ' ').toUpperCase()] as const),
            values.get('tax_id_type') ?? '',
          )}
          ${input('tax_id', 'Tax ID', 'off')}
        </fieldset>`
      : null
  }`;
}

function countryNames(): (readonly [string, string])[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return COUNTRIES.map((code) => [code, names.of(code) ?? code] as const);
}
