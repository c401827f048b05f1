import { Choice, Field } from '../fields.tsx';
import type { Problem } from '../fields.tsx';
import { COUNTRIES, TAX_IDS } from './details.ts';

interface DetailProps {
  /** The typed values, by the names of the fields that the session asks for. */
  values: ReadonlyMap<string, string>;
  problem: Problem | null;
}

/** The fields about the customer that the session asks for. */
export function DetailFields({ values, problem }: DetailProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? '', problem });
  return (
    <>
      {values.has('email') && (
        <Field
          {...field('email')}
          label="E-mail"
          type="email"
          autocomplete="email"
          inputmode="email"
          required
        />
      )}
      {values.has('name') && <Field {...field('name')} label="Name" autocomplete="name" />}
      {values.has('country') && <AddressFields values={values} problem={problem} />}
      {values.has('tax_id') && <BusinessFields values={values} problem={problem} />}
    </>
  );
}

function AddressFields({ values, problem }: DetailProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? '', problem });
  return (
    <fieldset>
      <legend>Billing address</legend>
      <Field {...field('line1')} label="Street" autocomplete="address-line1" required />
      <Field {...field('city')} label="City" autocomplete="address-level2" required />
      <Field {...field('postal_code')} label="Postal code" autocomplete="postal-code" required />
      <Field {...field('state')} label="State" autocomplete="address-level1" />
      <Choice name="country" label="Country" options={countryNames()} chosen={values.get('country') ?? ''} />
    </fieldset>
  );
}

function BusinessFields({ values, problem }: DetailProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? '', problem });
  return (
    <fieldset>
      <legend>For businesses</legend>
      <Field {...field('business_name')} label="Business name" autocomplete="organization" />
      <Choice
        name="tax_id_type"
        label="Kind of tax ID"
        options={TAX_IDS.map((type) => [type, type.replace('_', ' ').toUpperCase()])}
        chosen={values.get('tax_id_type') ?? ''}
      />
      <Field {...field('tax_id')} label="Tax ID" />
    </fieldset>
  );
}

function countryNames(): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return COUNTRIES.map((code) => [code, names.of(code) ?? code]);
}
