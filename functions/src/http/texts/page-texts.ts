import type { Request } from 'express';
import { LANGUAGES, type Language } from '../../settings/languages.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import type { PageTexts } from './words.ts';

const TEXTS: Readonly<Record<Language, PageTexts>> = { en: EN, de: DE };

/**
 * The words for the browser of a request, in the language that it prefers among `LANGUAGES`. The first one is the
 * fallback.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept-language
 */
export function pageTexts(request: Request): PageTexts {
  const accepted = request.acceptsLanguages([...LANGUAGES]);
  return TEXTS[LANGUAGES.find((language) => language === accepted) ?? LANGUAGES[0]];
}
