/** Currencies without a smaller unit. https://docs.stripe.com/currencies#zero-decimal */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** https://docs.stripe.com/currencies#three-decimal */
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Stripe counts in hundredths and accepts only whole amounts. https://docs.stripe.com/currencies#special-cases */
const WHOLE_AMOUNTS = new Set('ISK UGX'.split(' '));

/**
 * An amount of Stripe for people to read. `Intl` does not know Stripe's unit: it may write forints without decimals,
 * but Stripe counts in hundredths of a forint.
 *
 * @param amount in the currency's smallest unit, as Stripe counts it. It may be a fraction
 * @param currency ISO code, such as `usd`
 * @param options.isShort true to leave out decimals that are all zero: `$12` instead of `$12.00`
 */
export function formatMoney(
  amount: number,
  currency: string,
  { locale, isShort = false }: { locale: string; isShort?: boolean },
): string {
  const code = currency.toUpperCase();
  const decimals = decimalsOf(code);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: Number.isInteger(amount) ? decimals : 12,
    trailingZeroDisplay: isShort || WHOLE_AMOUNTS.has(code) ? 'stripIfInteger' : 'auto',
  });
  return format.format(amount / 10 ** decimals);
}

/** The decimals of Stripe's amounts: for 12 dollars Stripe has 1200, and for 12 yen 12. */
function decimalsOf(code: string): number {
  if (WITHOUT_DECIMALS.has(code)) return 0;
  return WITH_THREE_DECIMALS.has(code) ? 3 : 2;
}
