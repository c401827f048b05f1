import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editManifest, replaceIn } from './files.ts';
import { removeLinks, removeWorkspace } from './workspace.ts';

const PAGE = (name: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${escaped(name)}</title>
  </head>
  <body>
    <h1>${escaped(name)}</h1>
    <p>Put your pages into the folder public.</p>
  </body>
</html>
`;

/** Replaces the web app and its tests in a browser by a folder `public` with one page. */
export async function leaveOutPages(project: string, name: string): Promise<void> {
  await removeWorkspace(project, 'web', '@hearth/web');
  await rm(join(project, 'tests/browser'), { recursive: true });
  await removeLinks(project, 'tests/browser');
  await editManifest(project, ({ scripts }) => {
    Reflect.deleteProperty(scripts, 'build:web');
  });
  await replaceIn(project, 'firebase.json', /"public": "web\/dist"/, '"public": "public"');
  await replaceIn(project, 'firebase.json', /^ +"predeploy": .*build:web.*\n/m, '');
  await replaceIn(project, '.github/workflows/deploy.yml', /^ +- run: npm run build:web\n/m, '');
  await mkdir(join(project, 'public'), { recursive: true });
  await writeFile(join(project, 'public/index.html'), PAGE(name));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
