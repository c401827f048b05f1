import { BRAND } from '@hearth/shared/brand';
import type { ComponentLink } from '../texts/en/ui.tsx';
import { chooseLanguage, LANGUAGE, LANGUAGES, type Language } from '../texts/language.ts';
import { Options } from './form.tsx';
import { uiTexts } from './texts.ts';

const LINKS = [
  ['terms', BRAND.termsUrl],
  ['privacy', BRAND.privacyUrl],
  ['support', BRAND.supportUrl],
] as const;

/** The end of every page, with the links of shared/brand.json. */
export function Footer() {
  return (
    <footer class="site-footer">
      <div class="container">
        <span class="muted small">{BRAND.name}</span>
        {LINKS.flatMap(([label, url]) =>
          url === null
            ? []
            : [
                <a key={label} class="small" href={url}>
                  {uiTexts()[label]}
                </a>,
              ],
        )}
        <LanguageChoice />
      </div>
    </footer>
  );
}

/** The documents that a new user accepts, below the forms that create an account. Nothing if there are none. */
export function Consent() {
  const { termsUrl, privacyUrl } = BRAND;
  if (termsUrl === null && privacyUrl === null) return null;
  return <p class="muted small">{uiTexts().consent(linkTo(termsUrl), linkTo(privacyUrl))}</p>;
}

/** A link to a document; undefined if the app does not have it. */
function linkTo(url: string | null): ComponentLink | undefined {
  return url === null ? undefined : (text) => <a href={url}>{text}</a>;
}

/** The languages are named in themselves, so that everybody finds their own. */
function LanguageChoice() {
  return (
    <select
      class="language small"
      aria-label={uiTexts().language}
      value={LANGUAGE}
      onChange={({ currentTarget }) => {
        chooseLanguage(currentTarget.value as Language);
      }}
    >
      <Options options={Object.entries(LANGUAGES)} />
    </select>
  );
}
