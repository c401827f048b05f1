import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle } from '../../functions/bundling/bundle.ts';
import { FUNCTIONS } from '../../scripts/paths.ts';

/** Inside the functions' folder, so that the eager app finds its packages. */
const CACHE = join(FUNCTIONS, 'node_modules/.cache/bench');

/** The apps whose cold starts are measured. */
export type AppName = 'bare' | 'hearth' | 'eager';

/** The packages that Hearth loads when a request first needs them. */
const ON_DEMAND = [
  'busboy',
  'firebase-admin/app-check',
  'firebase-admin/firestore',
  'firebase-admin/functions',
  'firebase-admin/storage',
  'image-size',
  'nodemailer/lib/mail-composer',
  'nodemailer/lib/smtp-connection',
  'rate-limiter-flexible',
  'sharp',
  'stripe',
];

/**
 * Builds the apps. `bare` is an `onRequest` that answers `{}`. `eager` is Hearth without its bundle: all packages are
 * loaded from node_modules at the start, as in a project that compiles TypeScript and deploys the result.
 */
export async function buildApps(): Promise<Record<AppName, string>> {
  await rm(CACHE, { recursive: true, force: true });
  const bare = await folderOf('bare');
  await writeFile(
    join(bare, 'lib/index.js'),
    "import { onRequest } from 'firebase-functions/https';\n" +
      'export const api = onRequest((_request, response) => { response.json({}); });\n',
  );
  const hearth = await folderOf('hearth');
  await build({ ...bundle, outdir: join(hearth, 'lib') });
  const eager = await folderOf('eager');
  const imports = ON_DEMAND.map((name) => `import '${name}';\n`).join('');
  const { absWorkingDir, banner, format, platform, target } = bundle;
  await build({
    ...{ absWorkingDir, banner, format, platform, target, bundle: true, packages: 'external' },
    stdin: { contents: `${imports}export * from './src/index.ts';`, resolveDir: FUNCTIONS, loader: 'ts' },
    outfile: join(eager, 'lib/index.js'),
  });
  return { bare, hearth, eager };
}

async function folderOf(name: AppName): Promise<string> {
  const folder = join(CACHE, name);
  await mkdir(join(folder, 'lib'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', main: 'lib/index.js' }));
  return folder;
}
