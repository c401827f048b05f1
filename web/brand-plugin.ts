import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '@hearth/shared/brand';
import { paletteOf } from '@hearth/shared/palette';
import type { Plugin } from 'vite';

const STYLE = /\/src\/style\/index\.css$/;
const BRAND_FILE = /\/shared\/brand\.json$/;

/** Its own favicon, which replaces the one that is drawn here. */
const OWN_ICON = join(import.meta.dirname, 'public/favicon.svg');

/**
 * Gives the pages the name and the look of the app: its colors, its icon, and what the HTML files say without
 * JavaScript.
 */
export function withBrand(brand: Brand): Plugin {
  return {
    name: 'brand',
    enforce: 'pre',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html
          .replaceAll('%BRAND_NAME%', () => escaped(brand.name))
          .replace('%BRAND_MARK%', () => markOf(brand))
          .replace('%BRAND_DESCRIPTION%', () => descriptionOf(brand)),
    },
    load: (id) => (BRAND_FILE.test(id) ? JSON.stringify(brand) : undefined),
    transform: (code, id) => (STYLE.test(id) ? `${code}\n${styleOf(brand)}` : undefined),
    generateBundle() {
      if (existsSync(OWN_ICON)) return;
      this.emitFile({ type: 'asset', fileName: 'favicon.svg', source: iconOf(brand) });
    },
  };
}

/** The colors as variables of the style. */
function styleOf({ accent }: Brand): string {
  const { accentStrong, onAccent, tint } = paletteOf(accent);
  const variables = { accent, 'accent-strong': accentStrong, 'on-accent': onAccent, tint };
  const lines = Object.entries(variables).map(
    ([name, { light, dark }]) => `--${name}: light-dark(${light}, ${dark});`,
  );
  return `:root { ${lines.join(' ')} }`;
}

/** The first letter of the name on the accent color. */
function iconOf({ name, accent }: Brand): string {
  const [first] = new Intl.Segmenter().segment(name);
  const { onAccent } = paletteOf(accent);
  const text = `x="16" y="22.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="19" font-weight="700"`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    `<rect width="32" height="32" rx="8" fill="${accent.light}"/>`,
    `<text ${text} fill="${onAccent.light}">${escaped(first?.segment.toUpperCase() ?? '')}</text>`,
    '</svg>\n',
  ].join('');
}

/** The same as the component `BrandMark`. */
function markOf({ name, logoUrl }: Brand): string {
  if (logoUrl !== null) return `<img src="${escaped(logoUrl)}" alt="${escaped(name)}" height="28" />`;
  return `<img src="/favicon.svg" alt="" width="28" height="28" />${escaped(name)}`;
}

const descriptionOf = ({ description }: Brand) =>
  description === null ? '' : `<meta name="description" content="${escaped(description)}" />`;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
