/**
 * Prints how functions/src is shaped, as a table of counts. Each has a limit, which the test beside this file asserts.
 *
 *     npm run shape
 *     npm run shape -- --list       names what was counted
 *     npm run shape -- --packages   modules, cycles of imports and largest files of each package
 *     npm run shape -- <folder>     counts in another folder of sources
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { describePackages, readPackages } from './module-graph.ts';
import { ROOT } from './paths.ts';
import { assignsOutside, type FunctionNode, isTransactionBody } from './transaction-bodies.ts';

/** One property of the sources: the places that have it, and how many there may be. */
export interface Measure {
  readonly name: string;
  readonly limit: number;
  readonly places: readonly string[];
}

interface Source {
  /** Path below the folder that is measured. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** Rooms that features build on. `http/` is one of them. */
const SHARED_FOLDERS = /^(?:auth|common|firestore|http|openapi|personal-data|settings|tracing)\//;

/** Files that translate between HTTP and the services. */
const KNOWS_HTTP = /(?:\.routes|\/redirect-declarations)\.ts$/;

/** Measures all TypeScript files of a folder, tests and test helpers excluded. */
export function measureShape(folder: string): Measure[] {
  const sources = readSources(folder);
  const functions = sources.flatMap(functionsOf);
  return [
    {
      name: 'functions with five or more parameters',
      limit: 5,
      places: placesOf(functions.filter(({ node }) => node.parameters.length >= 5)),
    },
    ...databaseMeasures(sources, functions),
    {
      name: 'files of features that know HTTP and are no routes',
      limit: 0,
      places: sources
        .filter(({ path }) => path.includes('/') && !SHARED_FOLDERS.test(path) && !KNOWS_HTTP.test(path))
        .flatMap((source) => linesWith(source, /from '(?:\.\.\/)+http\/|from 'express'/)),
    },
    {
      name: 'paths of routes that several files spell out',
      limit: 0,
      places: repeatedPaths(sources),
    },
    {
      name: 'constants of routes without the name of the route',
      limit: 0,
      places: sources.flatMap(wronglyNamedRoutes),
    },
    {
      name: 'statuses of refusals outside of the catalogue',
      limit: 0,
      places: sources.flatMap((source) => linesWith(source, /new HttpError\(|\bnew Refusal\((?!name)/)),
    },
    {
      name: 'files beside each other at the top',
      limit: 6,
      places: sources.map(({ path }) => path).filter((path) => !path.includes('/')),
    },
    ...roomMeasures(sources),
    {
      name: 'files of more than 350 lines',
      limit: 0,
      places: sources.filter(({ text }) => text.split('\n').length > 350).map(({ path }) => path),
    },
  ];
}

/** How functions get the database and write to it. */
function databaseMeasures(sources: readonly Source[], functions: readonly FoundFunction[]): Measure[] {
  return [
    {
      name: 'functions that begin with a transaction or a Firestore client',
      limit: 0,
      places: placesOf(
        functions.filter(({ source, node }) => !isInRoom(source, 'firestore') && takesHandle(node)),
      ),
    },
    {
      name: 'writes past the typed collections',
      limit: 0,
      places: sources
        .filter((source) => !isInRoom(source, 'firestore'))
        .flatMap((source) =>
          linesWith(source, /\b(?:firestore|db)\.(?:doc|collection|collectionGroup|batch)\(/),
        ),
    },
    {
      name: 'transactions that assign a variable of the calling function',
      limit: 0,
      places: placesOf(functions.filter(({ node }) => isTransactionBody(node) && assignsOutside(node))),
    },
  ];
}

/** How the rooms of features with many files are divided. */
function roomMeasures(sources: readonly Source[]): Measure[] {
  return [
    {
      name: 'rooms and files beside each other in billing/',
      limit: 18,
      places: [...new Set(sources.flatMap(({ path }) => /^billing\/[^/]+/.exec(path)?.[0] ?? []))],
    },
    ...['billing', 'uploads'].map((room) => ({
      name: `files beside each other in the largest room of ${room}/`,
      limit: 8,
      places: largestFolder(sources, room),
    })),
  ];
}

function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$|(^|\/)testing\//.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
    });
}

interface FoundFunction {
  source: Source;
  node: FunctionNode;
}

function functionsOf(source: Source): FoundFunction[] {
  const found: FoundFunction[] = [];
  const visit = (node: ts.Node) => {
    if (
      ts.isFunctionDeclaration(node) ||
      ts.isArrowFunction(node) ||
      ts.isFunctionExpression(node) ||
      ts.isMethodDeclaration(node)
    ) {
      found.push({ source, node });
    }
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return found;
}

/** Whether the first parameter is a client's handle that callers would have to thread through. */
function takesHandle({ parameters: [first] }: FunctionNode): boolean {
  const type = first?.type?.getText() ?? '';
  return /^(?:Firestore|Transaction)$/.test(type);
}

function isInRoom({ path }: Source, room: string): boolean {
  return path.startsWith(`${room}/`);
}

function linesWith({ path, text }: Source, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
}

/** The files that have a path of a route as a literal that another file has as well. app.ts has prefixes. */
function repeatedPaths(sources: readonly Source[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of sources.filter((source) => source.path !== 'app.ts')) {
    const code = text.replaceAll(/^\s*\*.*$/gm, '');
    for (const [, literal = ''] of code.matchAll(/'(\/api\/[^'?*]+)'/g)) {
      files.set(literal, (files.get(literal) ?? new Set()).add(path));
    }
  }
  return [...files].flatMap(([literal, paths]) =>
    paths.size > 1 ? [`${literal} ${[...paths].join(' ')}`] : [],
  );
}

/** The constants that are not the id of their route with the ending `Route`. */
function wronglyNamedRoutes({ path, text }: Source): string[] {
  const declarations = text.matchAll(/const (\w+) = route\(\{.*?\bid: '(\w+)'/gs);
  return [...declarations].flatMap(([, name, id]) => (name === `${id}Route` ? [] : [`${path} ${name}`]));
}

function placesOf(functions: readonly FoundFunction[]): string[] {
  return functions.map(({ source, node }) => {
    const line = source.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    return `${source.path}:${line}`;
  });
}

function largestFolder(sources: readonly Source[], room: string): string[] {
  const folders = new Map<string, string[]>();
  for (const source of sources.filter((one) => isInRoom(one, room))) {
    const folder = dirname(source.path);
    folders.set(folder, [...(folders.get(folder) ?? []), source.path]);
  }
  return [...folders.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

if (basename(process.argv[1] ?? '') === 'code-shape.ts') {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean', default: false }, packages: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.packages) {
    process.stdout.write(`${describePackages(readPackages()).join('\n')}\n`);
    process.exit();
  }
  for (const { name, limit, places } of measureShape(positionals[0] ?? join(ROOT, 'functions/src'))) {
    process.stdout.write(`${String(places.length).padStart(4)}  (at most ${limit})  ${name}\n`);
    if (values.list) for (const place of places) process.stdout.write(`        ${place}\n`);
  }
}
