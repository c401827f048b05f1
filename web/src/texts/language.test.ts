import { expect, it } from 'vitest';
import { TEXTS as GERMAN } from './de/index.ts';
import { TEAM } from './en/team.tsx';
import { preferredLanguage, preferredLocale } from './language.ts';

/** Klingon. A project hardly adds it. */
const OTHER = 'tlh';

it.each([
  ['the choice of the visitor', 'de', ['en-US'], 'de'],
  ['the first language of the browser that the pages have', null, [OTHER, 'de-AT', 'en'], 'de'],
  ['a locale in any case', null, ['DE'], 'de'],
  ['English for a browser with other languages', null, [OTHER, `${OTHER}-DE`], 'en'],
  ['English for a browser without a language', null, [], 'en'],
  ['the language of the browser after a choice that the pages no longer have', OTHER, ['de'], 'de'],
  ['the language of the browser after a damaged choice', 'constructor', ['de'], 'de'],
])('the language of a page is %s', (_name, chosen, locales, expected) => {
  expect(preferredLanguage(chosen, locales)).toBe(expected);
});

it.each([
  ['the country of the visitor', 'de', ['en-GB', 'de-AT', 'de'], 'de-AT'],
  ['the language alone for a tag that browsers refuse', 'en', ['en-US@posix'], 'en'],
  ['the first tag that browsers accept', 'en', ['en_GB', 'en-GB'], 'en-GB'],
  ['the language alone for a browser of other languages', 'de', [OTHER], 'de'],
] as const)('dates are written for %s', (_name, language, locales, expected) => {
  expect(preferredLocale(language, locales)).toBe(expected);
  expect(() => new Intl.DateTimeFormat(expected)).not.toThrow();
});

it.each([
  ['English', TEAM, ['members', 'invitations', 'files']],
  ['German', GERMAN.team, ['Mitgliedschaften', 'Einladungen', 'Dateien']],
])('the dialog that deletes a team names in %s all that is deleted', (_language, { settings }, names) => {
  for (const hasSubscription of [true, false]) {
    for (const name of names) expect(settings.deleteEffect(hasSubscription)).toContain(name);
  }
});

it('German has a text wherever English has one', () => {
  // A closed window of Google is no error.
  const withoutText = /^errors\.auth\.auth\/(cancelled-popup-request|popup-closed-by-user)$/;
  expect(emptyTexts(GERMAN).filter((path) => !withoutText.test(path))).toEqual([]);
});

function emptyTexts(texts: object, path: readonly string[] = []): string[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) => {
    const here = [...path, key];
    if (typeof value === 'object' && value !== null) return emptyTexts(value, here);
    return value === '' ? [here.join('.')] : [];
  });
}
