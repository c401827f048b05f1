import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { vi } from 'vitest';
import { ROOT } from '../../../scripts/paths.ts';

/** The files of a build of the web app, by their path. */
export type BuiltPages = ReadonlyMap<string, string>;

/** Builds the web app in memory, with variables of `web/.env`. */
export async function buildPages(variables: Readonly<Record<string, string>>): Promise<BuiltPages> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const result = await build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    logLevel: 'error',
    build: { write: false, sourcemap: false },
  });
  vi.unstubAllEnvs();
  const { output } = result as Rolldown.RolldownOutput;
  return new Map(
    output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : Buffer.from(file.source).toString(),
    ]),
  );
}

/** Serves these pages in place of those of Hosting, with the same headers. */
export async function servePages(context: BrowserContext, pages: BuiltPages): Promise<void> {
  // The browser does not know that a page comes from this machine if the test answers for Hosting.
  await context.grantPermissions(['local-network-access']);
  await context.route(
    ({ pathname }) => pages.has(pathname) && /\.(js|css)$/.test(pathname),
    (route) => {
      const { pathname } = new URL(route.request().url());
      const contentType = pathname.endsWith('.js') ? 'text/javascript' : 'text/css';
      return route.fulfill({ contentType, body: pages.get(pathname) ?? '' });
    },
  );
  await context.route(/\/(account|dashboard|auth\/sign-in)(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: pages.get('/index.html') ?? '' });
  });
}
