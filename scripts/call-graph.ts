/** The calls between the functions of the service, as the compiler resolves them, and the refusals that each makes. */
import { join } from 'node:path';
import ts from 'typescript';
import { REFUSALS, type RefusalName } from '../functions/src/refusals/refusals.ts';
import { ROOT } from './paths.ts';

export const SOURCE = join(ROOT, 'functions/src');

export interface CallGraph {
  files: readonly ts.SourceFile[];
  /** Every mention of a function counts as a call of it. */
  callsOf: (node: ts.Node) => Calls;
}

/** The refusals that a piece of code may make itself, and the declarations that it mentions. */
export interface Calls {
  refusals: ReadonlySet<RefusalName>;
  mentioned: ReadonlySet<ts.Node>;
}

export function openCallGraph(): CallGraph {
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
  return { files, callsOf };
}

/** The declarations that pieces of code lead to, themselves included. */
export function reach(starts: readonly ts.Node[], callsOf: CallGraph['callsOf']): Set<ts.Node> {
  const reached = new Set(starts);
  // A set yields what is added while it is walked.
  for (const node of reached) {
    for (const other of callsOf(node).mentioned) reached.add(other);
  }
  return reached;
}

/** Visits a node and everything in it that runs: no types. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (isType(node)) return;
  visit(node);
  ts.forEachChild(node, (child) => {
    walk(child, visit);
  });
}

function openProgram(): ts.Program {
  const configPath = join(ROOT, 'tsconfig.json');
  const { config } = ts.readConfigFile(configPath, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram(fileNames.filter(isOurs), options);
}

const isOurs = (path: string) =>
  path.startsWith(SOURCE) && !path.startsWith(join(SOURCE, 'testing')) && !path.endsWith('.test.ts');

/** A subclass of Refusal names itself in the call of `super`. */
const MAKERS: ReadonlySet<string> = new Set(['refusal', 'super']);

function readCalls(node: ts.Node, checker: ts.TypeChecker, implementations: Implementations): Calls {
  const refusals = new Set<RefusalName>();
  const mentioned = new Set<ts.Node>();
  walk(node, (inner) => {
    if (ts.isCallExpression(inner) && MAKERS.has(inner.expression.getText())) {
      for (const name of namesOf(inner, checker)) refusals.add(name);
    }
    if (!ts.isIdentifier(inner) && !ts.isPrivateIdentifier(inner)) return;
    for (const declaration of declarationsOf(inner, checker)) {
      mentioned.add(declaration);
      for (const one of implementations.get(declaration) ?? []) mentioned.add(one);
    }
  });
  return { refusals, mentioned };
}

/** The names of a call that makes a refusal: the type of a variable has every name that it may have. */
function namesOf(call: ts.CallExpression, checker: ts.TypeChecker): RefusalName[] {
  const [name] = call.arguments;
  if (name === undefined) return [];
  const type = checker.getTypeAtLocation(name);
  const types = type.isUnion() ? type.types : [type];
  return types
    .flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
    .filter((one): one is RefusalName => Object.hasOwn(REFUSALS, one));
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
