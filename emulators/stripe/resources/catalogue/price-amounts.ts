import { InvalidParameter, missingParameter } from '../../api/errors.ts';
import { clearable, decimal, integer, mapOf, names, shape } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import type { Price } from '../../objects.ts';
import type { World } from '../../world.ts';

/** The two parameters of an amount per unit. */
export const amountParams = { unit_amount: integer(0, 99_999_999), unit_amount_decimal: decimal() };

const option = shape(amountParams, names('custom_unit_amount tax_behavior tiers'));
/** Amounts by currency; https://docs.stripe.com/api/prices/create#create_price-currency_options. */
export const currencyOptions = clearable(mapOf(option));

/** The amount as text, from one of its two parameters. */
export function givenAmount(given: Parsed<typeof amountParams>, within?: string): string {
  const { unit_amount: amount, unit_amount_decimal: exact } = given;
  const param = within === undefined ? 'unit_amount' : `${within}[unit_amount]`;
  if (amount !== undefined && exact !== undefined) {
    throw new InvalidParameter(
      'You may only specify one of these parameters: unit_amount, unit_amount_decimal.',
      param,
    );
  }
  if (amount === undefined && exact === undefined) throw missingParameter(param);
  return exact ?? String(amount);
}

/** An amount as a number, or null if it has a fraction. */
export function wholeAmount(decimal: string): number | null {
  const amount = Number(decimal);
  return Number.isInteger(amount) ? amount : null;
}

export function currencyCode(code: string, param = 'currency'): string {
  if (!/^[a-z]{3}$/i.test(code)) throw new InvalidParameter(`Invalid currency: ${code}`, param);
  return code.toLowerCase();
}

type Options = ReadonlyMap<string, Parsed<typeof amountParams>>;

/** The amounts of a parameter, by currency. Throws before anything is stored. */
export function readOptions(currency: string, given: Options): Record<string, string> {
  return Object.fromEntries(
    [...given].map(([code, amount]) => {
      const param = `currency_options[${code}]`;
      if (currencyCode(code, param) === currency) {
        throw new InvalidParameter(`The price is in ${currency} already.`, param);
      }
      return [code.toLowerCase(), givenAmount(amount, param)];
    }),
  );
}

/** Adds amounts in other currencies to a price; null removes all. */
export function setOptions({ state }: World, id: string, amounts: Record<string, string> | null): void {
  const current = state.currencyAmounts.get(id)?.amounts;
  state.currencyAmounts.put({ id, amounts: amounts ? { ...current, ...amounts } : {} });
}

/** The expanded `currency_options` of a price, with its own currency. */
export function shownOptions(
  { state }: World,
  id: string,
): NonNullable<Price['currency_options']> | undefined {
  const price = state.prices.get(id);
  if (!price) return undefined;
  const amounts = {
    [price.currency]: price.unit_amount_decimal,
    ...state.currencyAmounts.get(id)?.amounts,
  };
  return Object.fromEntries(
    Object.entries(amounts).map(([code, amount]) => [
      code,
      {
        custom_unit_amount: null,
        tax_behavior: price.tax_behavior,
        unit_amount: wholeAmount(amount),
        // A decimal is text on the wire.
        unit_amount_decimal: amount as never,
      },
    ]),
  );
}
