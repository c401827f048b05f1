import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A file of the pages, as it is sent. */
export interface PageFile {
  type: string;
  body: string;
}

const FOLDER = join(import.meta.dirname, 'page');

/** The files of both pages by their paths. */
export async function loadPages(): Promise<Map<string, PageFile>> {
  const [inbox, data, css] = await Promise.all(
    ['inbox.html', 'data.html', 'pages.css'].map((name) => readFile(join(FOLDER, name), 'utf8')),
  );
  const { outputFiles } = await build({
    entryPoints: { inbox: join(FOLDER, 'inbox.ts'), data: join(FOLDER, 'data.ts') },
    bundle: true,
    format: 'esm',
    outdir: '/',
    target: 'es2022',
    write: false,
  });
  return new Map([
    ['/', { type: 'text/html', body: inbox ?? '' }],
    ['/data', { type: 'text/html', body: data ?? '' }],
    ['/pages.css', { type: 'text/css', body: css ?? '' }],
    ...outputFiles.map(({ path, text }): [string, PageFile] => [
      path,
      { type: 'text/javascript', body: text },
    ]),
  ]);
}
