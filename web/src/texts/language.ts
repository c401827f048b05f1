import { renewAssets } from '../backend/renew-assets.ts';
import type { Texts } from './en/index.ts';

/** The languages of the pages, each by its own name. English is complete by definition: it declares the texts. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/** The texts of each other language are one file, which only its readers load. */
const TRANSLATIONS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ TEXTS: Texts }>>> = {
  // eslint-disable-next-line no-restricted-syntax -- `loadTexts` replaces missing files in the cache.
  de: () => import('./de/index.ts'),
};

const KEY = 'hearth.language';

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** The language of a locale such as `de-AT`; undefined if the pages do not have it. */
function languageOf(locale: string): Language | undefined {
  const [language = ''] = locale.toLowerCase().split('-');
  return isLanguage(language) ? language : undefined;
}

/** The language that the visitor chose, otherwise the first of the browser that the pages have. */
export function preferredLanguage(chosen: string | null, locales: readonly string[]): Language {
  if (chosen !== null && isLanguage(chosen)) return chosen;
  return locales.map(languageOf).find((language) => language !== undefined) ?? 'en';
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser that stores nothing decides by its own languages.
    return null;
  }
}

/** Each page has one language. A choice takes effect when the page is loaded again. */
export const LANGUAGE: Language = preferredLanguage(readChoice(), navigator.languages);

/** False for tags that `Intl` refuses, such as `en-US@posix` of a Chromium on a server. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The first locale of the browser that is of a language, such as `de-AT` of German; otherwise the language itself. */
export function preferredLocale(language: Language, locales: readonly string[]): string {
  return locales.find((locale) => languageOf(locale) === language && isLocale(locale)) ?? language;
}

/** The locale of dates, numbers and prices. A visitor reads the dates of their country. */
export const LOCALE: string = preferredLocale(LANGUAGE, navigator.languages);

let translation: Texts | undefined;

/** Loads the texts of the page's language. Without them the page is in English. Call this before the first render. */
export async function loadTexts(): Promise<void> {
  if (LANGUAGE === 'en') return;
  try {
    translation = (await TRANSLATIONS[LANGUAGE]()).TEXTS;
    document.documentElement.lang = LANGUAGE;
  } catch (error) {
    console.error(error);
    // The page does not wait for it. The next one is in the language again.
    void renewAssets();
  }
}

/** Remembers the choice of the visitor, and loads the page again in this language. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser that stores nothing keeps its own language.
  }
  location.reload();
}

/**
 * The texts of a room in the language of the page. Call the result while rendering and not at the top of a module,
 * because a module may be loaded before the texts.
 *
 * @param name the room
 * @param english its English texts, which are part of the room's own chunk
 */
export function textsOf<Room extends keyof Texts>(name: Room, english: Texts[Room]): () => Texts[Room] {
  return () => translation?.[name] ?? english;
}
