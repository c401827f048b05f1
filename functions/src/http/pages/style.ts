import { createHash } from 'node:crypto';
import { BRAND } from '@hearth/shared/brand';
import { PALETTE } from '@hearth/shared/palette';

const { accent, onAccent } = PALETTE;

/** The style of the backend's own pages, in the colors of the web app. */
export const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1.5rem 1rem 3rem; background: light-dark(#faf7f4, #161311); color: light-dark(#241d18, #f4ede7); font: 100%/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
header, main { max-width: 30rem; margin-inline: auto; }
header { margin-block: 0 1.5rem; font-size: 1.1rem; font-weight: 700; }
header a { color: inherit; text-decoration: none; }
header img { vertical-align: middle; }
main { display: grid; gap: 1rem; padding: clamp(1.25rem, 5vw, 2rem); border: 1px solid light-dark(#e2d8cf, #3d3630); border-radius: 0.75rem; background: light-dark(#ffffff, #211d1a); overflow-wrap: anywhere; }
h1, h3, p { margin: 0; }
h1, h3 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.02em; text-wrap: balance; }
p { color: light-dark(#665a51, #b8aba0); }
strong { color: light-dark(#241d18, #f4ede7); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block-start: 0.5rem; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.1rem; border: 1px solid light-dark(#8d7f74, #8a7c71); border-radius: 0.5rem; background: transparent; color: inherit; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button.primary { border-color: transparent; background: light-dark(${accent.light}, ${accent.dark}); color: light-dark(${onAccent.light}, ${onAccent.dark}); }
.button:hover { filter: brightness(0.95); }
:focus-visible { outline: 3px solid light-dark(${accent.light}, ${accent.dark}); outline-offset: 2px; }
@media (width < 26rem) { .actions > *, form > * { width: 100%; } }
`;

/** The policy allows the style by this hash. The style is part of each page, so that a page needs no other request. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Security policy of these pages: they load the logo and run nothing, and send forms only to their own origin. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  ...(BRAND.logoUrl === null ? [] : [`img-src ${new URL(BRAND.logoUrl).origin}`]),
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');
