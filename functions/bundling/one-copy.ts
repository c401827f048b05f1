import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { OnResolveArgs, Plugin, PluginBuild } from 'esbuild';

interface InstalledPackage {
  folder: string;
  /** Name and version. */
  id: string;
}

/**
 * Bundles a package once if npm has installed the same version in several folders. Without it the bundle has two copies
 * of google-gax and of @grpc/grpc-js, because the packages that need them cannot share a folder of node_modules.
 */
export const oneCopy: Plugin = {
  name: 'one-copy',
  setup(build) {
    const folders = new Map<string, string>();
    // Only names of packages. The files of a moved package are then found relative to the package.
    build.onResolve({ filter: /^[^./]/ }, async (asked) => {
      const path = await resolvedPath(build, asked);
      const found = path === undefined ? undefined : packageOf(path);
      if (path === undefined || found === undefined) return undefined;
      const folder = folders.get(found.id) ?? found.folder;
      folders.set(found.id, folder);
      // If this returns undefined, esbuild resolves as usual and keeps its data about the file, such as the kind of
      // module.
      return folder === found.folder ? undefined : { path: join(folder, path.slice(found.folder.length)) };
    });
  },
};

const RESOLVING = Symbol('resolving');

/** The file in node_modules that an import leads to; undefined for our own files and external packages. */
async function resolvedPath(build: PluginBuild, asked: OnResolveArgs): Promise<string | undefined> {
  if (asked.kind === 'entry-point' || asked.pluginData === RESOLVING) return undefined;
  const { importer, namespace, resolveDir, kind } = asked;
  const options = { importer, namespace, resolveDir, kind, pluginData: RESOLVING };
  const { errors, external, path } = await build.resolve(asked.path, options);
  return errors.length > 0 || external || !path.includes(`${sep}node_modules${sep}`) ? undefined : path;
}

function packageOf(path: string): InstalledPackage | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    // A folder can have a package.json without a name, which only sets the kind of its modules.
    if (name !== undefined && version !== undefined) return { folder, id: `${name}@${version}` };
  }
  return undefined;
}
