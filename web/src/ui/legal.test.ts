import { isValidElement, type ComponentChildren } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('@hearth/shared/brand');
  vi.resetModules();
});

/** The components with another shared/brand.json. */
async function withBrand(links: object) {
  const BRAND = { name: 'Acme', termsUrl: null, privacyUrl: null, supportUrl: null, ...links };
  vi.doMock('@hearth/shared/brand', () => ({ BRAND }));
  return import('./legal.tsx');
}

/** The text of an element and the URLs of its links. */
function textOf(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'string') return node;
  if (!isValidElement(node)) return '';
  const { href, children } = node.props as { href?: string; children?: ComponentChildren };
  return href === undefined ? textOf(children) : `[${textOf(children)}](${href})`;
}

const TERMS = 'https://acme.example/terms';
const PRIVACY = 'https://acme.example/privacy';

it.each([
  [{}, ''],
  [{ termsUrl: TERMS }, `By creating an account you accept the [terms of service](${TERMS}).`],
  [{ privacyUrl: PRIVACY }, `By creating an account you accept the [privacy policy](${PRIVACY}).`],
  [
    { termsUrl: TERMS, privacyUrl: PRIVACY },
    `By creating an account you accept the [terms of service](${TERMS}) and the [privacy policy](${PRIVACY}).`,
  ],
])('a new user accepts the documents of the brand: %j', async (links, text) => {
  const { Consent } = await withBrand(links);
  expect(textOf(Consent())).toBe(text);
});

it('the footer links to the existing documents of the brand', async () => {
  const { Footer } = await withBrand({ termsUrl: TERMS, supportUrl: 'mailto:help@acme.example' });
  expect(textOf(Footer())).toBe(`Acme[Terms](${TERMS})[Support](mailto:help@acme.example)`);
});
