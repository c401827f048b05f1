import type { Request } from 'express';
import { LANGUAGES, type Language } from '../../settings/languages.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import type { PageTexts } from './words.ts';

const TEXTS: Readonly<Record<Language, PageTexts>> = { en: EN, de: DE };

/**
 * The texts in the language of `LANGUAGES` that the browser prefers. The first language is the fallback.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept-language
 */
export function pageTexts(request: Request): PageTexts {
  const accepted = request.acceptsLanguages([...LANGUAGES]);
  return TEXTS[LANGUAGES.find((language) => language === accepted) ?? LANGUAGES[0]];
}
