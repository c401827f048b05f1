import type { Brand } from '@hearth/shared/brand';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ACME: Brand = {
  name: 'Acme & Co',
  description: 'Tools for coyotes',
  accent: { light: '#0b5cb9', dark: '#7cc4ff' },
  logoUrl: 'https://cdn.example.com/logo.png',
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  postalAddress: null,
};

/** The modules that show the brand, with another shared/brand.json. */
async function loadModules() {
  vi.resetModules();
  vi.doMock('@hearth/shared/brand', () => ({ BRAND: ACME }));
  const [html, style, layout, openapi, page, mail] = await Promise.all([
    import('./html.ts'),
    import('./style.ts'),
    import('../../mail/templates/layout.ts'),
    import('../../openapi/document.ts'),
    import('../texts/en.ts'),
    import('../../mail/texts/en.ts'),
  ]);
  return { html, style, layout, openapi, page: page.EN, mail: mail.EN };
}

let modules: Awaited<ReturnType<typeof loadModules>>;
beforeAll(async () => {
  modules = await loadModules();
});
afterAll(() => {
  vi.doUnmock('@hearth/shared/brand');
  vi.resetModules();
});

const OF_HEARTH = /\bHearth\b|teams and file upload on Firebase|#(?:b93c0b|fb923c)/;

test('the pages of the backend have the logo and the colors of the app, and their policy allows the logo', () => {
  const { html, style, page } = modules;
  const notice = html.htmlNotice(page, { title: 'Done', text: 'It is done.' });
  expect(notice).not.toMatch(OF_HEARTH);
  expect(notice).toContain('<title>Done · Acme &amp; Co</title>');
  expect(notice).toContain(
    '<a href="/"><img src="https://cdn.example.com/logo.png" alt="Acme &amp; Co" height="28"></a>',
  );
  expect(notice).toContain('background: light-dark(#0b5cb9, #7cc4ff); color: light-dark(#ffffff, #000000);');
  expect(style.PAGE_POLICY.split(';')).toContain('img-src https://cdn.example.com');
});

test('mail has the logo and the colors of the app', () => {
  const { layout, mail } = modules;
  const words = mail.welcome({ app: ACME.name });
  const { html, text } = layout.renderMail({ words, buttonUrl: 'https://app.example.com' }, mail, 'en');
  expect(`${html}${text}`).not.toMatch(OF_HEARTH);
  expect(html).toContain('<img src="https://cdn.example.com/logo.png" alt="Acme &amp; Co" height="40"');
  expect(html).toContain('background:#0b5cb9;color:#ffffff;');
  expect(html).toContain('.button { background: #7cc4ff !important; color: #000000 !important; }');
});

test('the API document has the name and the description of the app', () => {
  const document = modules.openapi.openApiDocument({ appUrl: 'https://app.example.com' }, []);
  expect(document.info.title).toBe('Acme & Co');
  expect(document.info.description).toMatch(/^Tools for coyotes\n\n\*\*Authentication/);
  expect(JSON.stringify(document)).not.toMatch(OF_HEARTH);
});
