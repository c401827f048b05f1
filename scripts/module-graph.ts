/** The modules of each package and what they import, types included. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { execaSync } from 'execa';
import ts from 'typescript';
import { ROOT } from './paths.ts';

export interface Module {
  /** Path below the root folder. */
  readonly path: string;
  readonly lines: number;
  /** Modules that it imports by a relative path. */
  readonly imports: readonly string[];
}

export interface Package {
  /** Folder below the root folder; `.` is the root's own package. */
  readonly folder: string;
  readonly name: string;
  readonly modules: readonly Module[];
}

interface Manifest {
  readonly name: string;
  readonly workspaces?: readonly string[];
}

/** Every package of the repository with its checked-in modules of TypeScript, tests included. */
export function readPackages(): Package[] {
  const folders = ['.', ...(readManifest('.').workspaces ?? [])];
  const byFolder = Map.groupBy(readModules(), ({ path }) => folderOf(path, folders));
  return folders.map((folder) => ({
    folder,
    name: readManifest(folder).name,
    modules: byFolder.get(folder) ?? [],
  }));
}

/** The folder of the innermost package that has the file. */
export function folderOf(path: string, folders: readonly string[]): string {
  const outer = folders.filter((folder) => path.startsWith(`${folder}/`));
  return outer.sort((a, b) => b.length - a.length)[0] ?? '.';
}

/** Groups of modules that import each other, directly or through others of the group. */
export function findCycles(modules: readonly Module[]): string[][] {
  const importsOf = new Map(modules.map(({ path, imports }) => [path, imports]));
  const reached = new Map(modules.map(({ path }) => [path, reachableFrom(path, importsOf)]));
  const grouped = new Set<string>();
  return modules.flatMap(({ path }) => {
    const onward = reached.get(path);
    if (grouped.has(path) || onward?.has(path) !== true) return [];
    const cycle = [...onward].filter((other) => reached.get(other)?.has(path) === true);
    for (const member of cycle) grouped.add(member);
    return [cycle.sort()];
  });
}

function reachableFrom(start: string, importsOf: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(importsOf.get(start) ?? [])];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(importsOf.get(path) ?? []));
  }
  return reached;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

function readModules(): Module[] {
  const { stdout } = execaSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.tsx'],
    { cwd: ROOT },
  );
  const paths = stdout.split('\n').filter((path) => !path.endsWith('.d.ts'));
  const known = new Set(paths);
  return paths.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const { importedFiles } = ts.preProcessFile(text, true, true);
    const imports = importedFiles
      .map(({ fileName }) => fileName)
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)))
      .filter((name) => known.has(name));
    return { path, lines: text.trimEnd().split('\n').length, imports: [...new Set(imports)] };
  });
}

/** Relative imports that leave their package, as `importer -> imported`. */
export function importsAcross(packages: readonly Package[]): string[] {
  const folders = packages.map(({ folder }) => folder);
  return packages.flatMap(({ folder, modules }) =>
    modules.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => folderOf(imported, folders) !== folder)
        .map((imported) => `${path} -> ${imported}`),
    ),
  );
}

/** Lines for each package: its modules, its cycles and its five largest files, without tests and generated files. */
export function describePackages(packages: readonly Package[]): string[] {
  return packages.flatMap(({ name, modules }) => {
    const cycles = findCycles(modules);
    const largest = modules
      .filter(({ path }) => !/\.test\.tsx?$|\/generated\//.test(path))
      .sort((a, b) => b.lines - a.lines)
      .slice(0, 5);
    return [
      `${name}: ${modules.length} modules, ${cycles.length} cycles`,
      ...cycles.map((cycle) => `        cycle: ${cycle.join(', ')}`),
      ...largest.map(({ path, lines }) => `  ${String(lines).padStart(4)}  ${path}`),
    ];
  });
}
