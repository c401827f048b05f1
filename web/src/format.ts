import { LOCALE } from './texts/language.ts';

const DAY = 86_400_000;

const dates = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

export const formatDate = (date: Date): string => dates.format(date);

export const formatTime = (date: Date): string => times.format(date);

/** The distance of a time from now, in whole days. */
export function inDays(date: Date, now: Date): string {
  return relative.format(Math.round((date.getTime() - now.getTime()) / DAY), 'day');
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size for people to read, such as 1.2 MB. */
export function formatBytes(bytes: number, locale: string = LOCALE): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
  return format.format(bytes / 1000 ** step);
}
