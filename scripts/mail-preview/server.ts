import { createServer, type Server } from 'node:http';
import escapeHtml from 'escape-html';
import { LANGUAGES, type Language } from '../../functions/src/settings/languages.ts';
import { SAMPLES } from './samples.ts';

/**
 * Serves a page with every mail of the service, filled with sample values:
 * - `/`: the list
 * - `/{language}/{name}`: the HTML of one mail
 * - `/{language}/{name}.txt`: its plain text
 */
export function createPreviewServer(): Server {
  return createServer((request, response) => {
    const page = pageAt(new URL(request.url ?? '/', 'http://localhost').pathname);
    const { status, type, body } = page ?? { status: 404, type: 'text/plain', body: 'Not found\n' };
    response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
    response.end(body);
  });
}

interface PreviewPage {
  status: number;
  type: string;
  body: string;
}

function pageAt(path: string): PreviewPage | undefined {
  if (path === '/') return { status: 200, type: 'text/html', body: listPage() };
  const [, language, name = '', isText] = /^\/([a-z]+)\/([a-z-]+)(\.txt)?$/.exec(path) ?? [];
  const sample = Object.hasOwn(SAMPLES, name) ? SAMPLES[name] : undefined;
  if (!isLanguage(language) || sample === undefined) return undefined;
  const { html, text } = sample(language);
  return isText === undefined
    ? { status: 200, type: 'text/html', body: html }
    : { status: 200, type: 'text/plain', body: text };
}

function isLanguage(value: string | undefined): value is Language {
  return LANGUAGES.some((language) => language === value);
}

function listPage(): string {
  const rows = Object.entries(SAMPLES).map(([name, sample]) => {
    const links = LANGUAGES.map(
      (language) =>
        `<td><a href="/${language}/${name}" aria-label="${name} in ${language}, HTML">${language}</a> <a href="/${language}/${name}.txt" aria-label="${name} in ${language}, plain text">text</a></td>`,
    );
    return `<tr><th scope="row">${name}</th><td>${escapeHtml(sample('en').subject)}</td>${links.join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Mail preview</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
th, td { text-align: start; padding: .4rem .8rem .4rem 0; font-weight: normal }
</style>
<main>
<h1>Mail preview</h1>
<p>Every mail of the service with sample values. The words are in <code>functions/src/mail/texts</code>, name and colors in <code>shared/brand.json</code>. Restart the preview after a change.</p>
<table>${rows.join('\n')}</table>
</main>
</html>
`;
}
