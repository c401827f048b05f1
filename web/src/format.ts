import { formatBytes as formatBytesIn } from '@hearth/shared/message';
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

/** A size for people to read, such as 1.2 MB. */
export const formatBytes = (bytes: number): string => formatBytesIn(bytes, LOCALE);
