import type { Language } from '../../settings/languages.ts';

/** A day for people to read, in UTC because the reader's time zone is not known. */
export function formatDay(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/**
 * An amount for people to read. Some currencies have no smaller unit.
 *
 * @param amount in the currency's smallest unit
 * @param currency ISO code, such as `usd`
 */
export function formatAmount(amount: number, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
