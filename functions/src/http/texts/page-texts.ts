import type { Request } from 'express';
import { DE } from './de.ts';
import { EN } from './en.ts';
import type { PageTexts } from './words.ts';

/** The first language is for a browser that prefers none of them. */
const TEXTS: Readonly<Record<string, PageTexts>> = { en: EN, de: DE };

/**
 * The words for the browser of a request: its preferred language among those that the service has.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept-language
 */
export function pageTexts(request: Request): PageTexts {
  const language = request.acceptsLanguages(Object.keys(TEXTS));
  return (language === false ? undefined : TEXTS[language]) ?? EN;
}
