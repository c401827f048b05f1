/**
 * An amount as people write it, without cents where there are none.
 *
 * @param unitAmount in the currency's smallest unit, whose size differs: 1200 is 12 dollars, and 1200 yen
 */
export function formatPrice(unitAmount: number, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(unitAmount / 10 ** digits);
}
