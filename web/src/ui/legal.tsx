import { BRAND } from '@hearth/shared/brand';

const LINKS = [
  ['Terms', BRAND.termsUrl],
  ['Privacy', BRAND.privacyUrl],
  ['Support', BRAND.supportUrl],
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
                  {label}
                </a>,
              ],
        )}
      </div>
    </footer>
  );
}

/** The documents that a new user accepts, below the forms that create an account. Nothing if there are none. */
export function Consent() {
  const { termsUrl, privacyUrl } = BRAND;
  if (termsUrl === null && privacyUrl === null) return null;
  return (
    <p class="muted small">
      By creating an account you accept{' '}
      {termsUrl !== null && (
        <>
          the <a href={termsUrl}>terms of service</a>
        </>
      )}
      {termsUrl !== null && privacyUrl !== null && ' and '}
      {privacyUrl !== null && (
        <>
          the <a href={privacyUrl}>privacy policy</a>
        </>
      )}
      .
    </p>
  );
}
