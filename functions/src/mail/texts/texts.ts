import type { Language } from '../../settings/languages.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import type { MailTexts } from './words.ts';

const TEXTS: Readonly<Record<Language, MailTexts>> = { en: EN, de: DE };

export function textsIn(language: Language): MailTexts {
  return TEXTS[language];
}
