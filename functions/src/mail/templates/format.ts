import type { Language } from '../../settings/languages.ts';

/** A day for people to read, in UTC because the reader's time zone is not known. */
export function formatDay(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
