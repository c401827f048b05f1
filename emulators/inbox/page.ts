import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** The files of the page, as they are sent. */
export interface Page {
  html: string;
  css: string;
  js: string;
}

export async function loadPage(): Promise<Page> {
  const [html, css, script] = await Promise.all(
    ['index.html', 'inbox.css', 'browser.ts'].map((name) =>
      readFile(join(import.meta.dirname, 'page', name), 'utf8'),
    ),
  );
  const { code } = await transform(script ?? '', { loader: 'ts', format: 'esm', target: 'es2022' });
  return { html: html ?? '', css: css ?? '', js: code };
}
