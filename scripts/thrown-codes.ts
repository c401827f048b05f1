/** Finds the refusals that routes and documented functions can throw, by the calls that they lead to. */
import { relative } from 'node:path';
import ts from 'typescript';
import { codeOf, type RefusalCode, type RefusalName } from '../functions/src/refusals/refusals.ts';
import { openCallGraph, reach, SOURCE, walk, type CallGraph } from './call-graph.ts';
import { documentedIn, type Docstring } from './docstring-throws.ts';

/**
 * The refusals that a function or route never throws although its code leads to them, by its name or id. A code stands
 * for every refusal with that code.
 */
export type Exceptions = Readonly<Record<string, readonly RefusalName[]>>;

export interface Thrown {
  /** The codes that each route can throw, by the id of the route. */
  routes: ReadonlyMap<string, ReadonlySet<RefusalCode>>;
  docstrings: readonly Docstring[];
  /** The places of each exception that changes something, such as `removeOwnTeam: forbidden`. */
  usesOfExceptions: ReadonlyMap<string, ReadonlySet<ts.Node>>;
}

/**
 * Every mention of a function counts as a call of it, so some of the refusals are never thrown. The exceptions remove
 * these.
 */
export function readThrown(exceptions: Exceptions): Thrown {
  const { files, callsOf } = openCallGraph();
  const routes = files.flatMap(routesIn);
  const documented = files.flatMap((file) => documentedIn(file).map((one) => ({ ...one, file })));
  const starts = [...routes, ...documented].map(({ node }) => node);
  const { thrown, uses } = spread(starts, callsOf, exceptions);
  const thrownBy = (node: ts.Node) => thrown.get(node) ?? new Set<RefusalName>();
  const inRoutes = new Set(routes.flatMap(({ node }) => [...reach([node], callsOf)]));
  return {
    routes: new Map(routes.map(({ id, node }) => [id, new Set([...thrownBy(node)].map(codeOf))])),
    docstrings: documented.map(({ node, name, text, returns, file }) => ({
      place: `${relative(SOURCE, file.fileName)} ${name}`,
      text,
      returns,
      thrown: thrownBy(node),
      thrownByCalls: byName(reach([node], callsOf), node, thrownBy),
      isOfRoute: inRoutes.has(node),
    })),
    usesOfExceptions: uses,
  };
}

/** The refusals of the functions that one leads to, by their names. */
function byName(
  reached: Iterable<ts.Node>,
  start: ts.Node,
  thrownBy: (node: ts.Node) => ReadonlySet<RefusalName>,
): Map<string, Set<RefusalName>> {
  const found = new Map<string, Set<RefusalName>>();
  for (const node of reached) {
    const name = node === start ? undefined : nameOf(node);
    if (name !== undefined) found.set(name, new Set([...(found.get(name) ?? []), ...thrownBy(node)]));
  }
  return found;
}

interface Spread {
  thrown: ReadonlyMap<ts.Node, ReadonlySet<RefusalName>>;
  uses: Thrown['usesOfExceptions'];
}

/** Passes each refusal on from the code that makes it to everything that leads there. */
function spread(starts: readonly ts.Node[], callsOf: CallGraph['callsOf'], exceptions: Exceptions): Spread {
  const nodes = reach(starts, callsOf);
  const callers = new Map<ts.Node, ts.Node[]>();
  for (const node of nodes) {
    for (const called of callsOf(node).mentioned) callers.set(called, [...(callers.get(called) ?? []), node]);
  }
  const thrown = new Map<ts.Node, Set<RefusalName>>();
  const uses = new Map<string, Set<ts.Node>>();
  const pending = [...nodes].flatMap((node) => [...callsOf(node).refusals].map((name) => ({ node, name })));
  // The list grows while it is walked.
  for (const { node, name } of pending) {
    if (thrown.get(node)?.has(name) === true) continue;
    const place = nameOf(node) ?? '';
    const exception = exceptions[place]?.find((one) => one === name || one === codeOf(name));
    if (exception !== undefined) {
      const use = `${place}: ${exception}`;
      uses.set(use, (uses.get(use) ?? new Set()).add(node));
      continue;
    }
    thrown.set(node, (thrown.get(node) ?? new Set()).add(name));
    pending.push(...(callers.get(node) ?? []).map((caller) => ({ node: caller, name })));
  }
  return { thrown, uses };
}

/** The name of a function, or the id of a route. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  return ts.isObjectLiteralExpression(node) ? routeIdOf(node) : undefined;
}

/** The declarations of routes in a file. */
function routesIn(file: ts.SourceFile): { id: string; node: ts.Node }[] {
  const found: { id: string; node: ts.Node }[] = [];
  walk(file, (node) => {
    const id = ts.isObjectLiteralExpression(node) ? routeIdOf(node) : undefined;
    if (id !== undefined) found.push({ id, node });
  });
  return found;
}

function routeIdOf({ properties }: ts.ObjectLiteralExpression): string | undefined {
  const id = properties.find((one) => one.name?.getText() === 'id');
  const hasHandler = properties.some((one) => one.name?.getText() === 'handler');
  const isRoute = hasHandler && id !== undefined && ts.isPropertyAssignment(id);
  return isRoute && ts.isStringLiteral(id.initializer) ? id.initializer.text : undefined;
}
