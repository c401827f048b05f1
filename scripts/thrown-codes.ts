/** Finds the codes that a route can throw by the calls that its declaration leads to, as the compiler resolves them. */
import { join } from 'node:path';
import ts from 'typescript';
import { codeOf, REFUSALS, type RefusalCode, type RefusalName } from '../functions/src/refusals/refusals.ts';
import { ROOT } from './paths.ts';

const SOURCE = join(ROOT, 'functions/src');

/**
 * The codes that each route can throw, by the id of the route. Every mention of a function counts as a call of it, so
 * there may be codes that no request leads to.
 */
export function readThrownCodes(): Map<string, Set<RefusalCode>> {
  const program = openProgram();
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  const implementations = indexImplementations(files, checker);
  const calls = new Map<ts.Node, Calls>();
  const callsOf = (node: ts.Node) => {
    const known = calls.get(node) ?? readCalls(node, checker, implementations);
    calls.set(node, known);
    return known;
  };
  return new Map(files.flatMap(routesIn).map(({ id, node }) => [id, reach(node, callsOf)]));
}

/** The codes that a piece of code may throw itself, and the declarations that it mentions. */
interface Calls {
  codes: Set<RefusalCode>;
  mentioned: Set<ts.Node>;
}

function openProgram(): ts.Program {
  const configPath = join(ROOT, 'tsconfig.json');
  const { config } = ts.readConfigFile(configPath, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram([join(SOURCE, 'index.ts')], options);
}

const isOurs = (path: string) => path.startsWith(SOURCE) && !path.endsWith('.test.ts');

function reach(start: ts.Node, callsOf: (node: ts.Node) => Calls): Set<RefusalCode> {
  const reached = new Set([start]);
  const codes = new Set<RefusalCode>();
  // A set yields what is added while it is walked.
  for (const node of reached) {
    const { codes: own, mentioned } = callsOf(node);
    for (const code of own) codes.add(code);
    for (const other of mentioned) reached.add(other);
  }
  return codes;
}

/** The declarations of routes in a file. */
function routesIn(file: ts.SourceFile): { id: string; node: ts.Node }[] {
  const found: { id: string; node: ts.Node }[] = [];
  walk(file, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return;
    const id = node.properties.find((one) => one.name?.getText() === 'id');
    const hasHandler = node.properties.some((one) => one.name?.getText() === 'handler');
    if (hasHandler && id !== undefined && ts.isPropertyAssignment(id) && ts.isStringLiteral(id.initializer)) {
      found.push({ id: id.initializer.text, node });
    }
  });
  return found;
}

/** A subclass of Refusal names its code in the call of `super`. */
const MAKERS: ReadonlySet<string> = new Set(['refuse', 'super']);

function readCalls(node: ts.Node, checker: ts.TypeChecker, implementations: Implementations): Calls {
  const codes = new Set<RefusalCode>();
  const mentioned = new Set<ts.Node>();
  walk(node, (inner) => {
    if (ts.isCallExpression(inner) && MAKERS.has(inner.expression.getText())) {
      for (const code of codesOf(inner, checker)) codes.add(code);
    }
    if (!ts.isIdentifier(inner) && !ts.isPrivateIdentifier(inner)) return;
    for (const declaration of declarationsOf(inner, checker)) {
      mentioned.add(declaration);
      for (const one of implementations.get(declaration) ?? []) mentioned.add(one);
    }
  });
  return { codes, mentioned };
}

/** The codes of a call that makes a refusal: the type of a variable has every name that it may have. */
function codesOf(call: ts.CallExpression, checker: ts.TypeChecker): RefusalCode[] {
  const [name] = call.arguments;
  if (name === undefined) return [];
  const type = checker.getTypeAtLocation(name);
  const types = type.isUnion() ? type.types : [type];
  return types
    .flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
    .filter((one): one is RefusalName => Object.hasOwn(REFUSALS, one))
    .map(codeOf);
}

/** The declarations of a name that are code of ours. */
function declarationsOf(name: ts.Identifier | ts.PrivateIdentifier, checker: ts.TypeChecker): ts.Node[] {
  const symbols = [symbolOf(name, checker), destructuredFrom(name, checker)];
  const declarations = symbols.flatMap((symbol) => symbol?.declarations ?? []);
  return declarations.filter(
    (one) => isOurs(one.getSourceFile().fileName) && !ts.isParameter(one) && !isType(one),
  );
}

const isType = (node: ts.Node) =>
  ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

function symbolOf(
  name: ts.Identifier | ts.PrivateIdentifier,
  checker: ts.TypeChecker,
): ts.Symbol | undefined {
  const { parent } = name;
  const found = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(name);
  const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(found) : found;
}

/** The property that a name in a pattern such as `{ stripe }` takes out of an object. */
function destructuredFrom({ parent }: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (!ts.isBindingElement(parent) || !ts.isObjectBindingPattern(parent.parent)) return undefined;
  const property = (parent.propertyName ?? parent.name).getText();
  return checker.getTypeAtLocation(parent.parent).getProperty(property);
}

/**
 * The parts of object literals that implement a function, or a list of functions, of an interface, by its declaration.
 */
type Implementations = ReadonlyMap<ts.Node, ts.Node[]>;

function indexImplementations(files: readonly ts.SourceFile[], checker: ts.TypeChecker): Implementations {
  const found = new Map<ts.Node, ts.Node[]>();
  for (const file of files) {
    walk(file, (node) => {
      if (!ts.isObjectLiteralExpression(node)) return;
      const type = checker.getContextualType(node);
      for (const property of node.properties) {
        const name = property.name?.getText();
        const symbol = name === undefined ? undefined : type?.getProperty(name);
        if (symbol === undefined || !hasFunctions(checker.getTypeOfSymbol(symbol), checker)) continue;
        for (const declaration of symbol.declarations ?? []) {
          found.set(declaration, [...(found.get(declaration) ?? []), property]);
        }
      }
    });
  }
  return found;
}

function hasFunctions(type: ts.Type, checker: ts.TypeChecker): boolean {
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
  return element.getNonNullableType().getCallSignatures().length > 0;
}

/** Visits a node and everything in it that runs: no types. */
function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (isType(node)) return;
  visit(node);
  ts.forEachChild(node, (child) => {
    walk(child, visit);
  });
}
