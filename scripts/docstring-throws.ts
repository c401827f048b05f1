/** Reads the lists after `@throws Refusal`. `refusals/refusals.ts` describes them. */
import ts from 'typescript';
import { codeOf, REFUSALS, statusOf, type RefusalName } from '../functions/src/refusals/refusals.ts';

export interface Docstring {
  /** The file and the name of the function. */
  place: string;
  /** The text after `@throws Refusal`. */
  text: string;
  /** The text after `@returns`. It lists refusals that are returned. */
  returns: string;
  /** The refusals that the function can throw. */
  thrown: ReadonlySet<RefusalName>;
  /** The refusals of each function that it calls, by the name of that function. */
  thrownByCalls: ReadonlyMap<string, ReadonlySet<RefusalName>>;
  /** True if a route leads to the function. */
  isOfRoute: boolean;
}

/** A function with a list, or a field of an interface that is a function. */
export interface Documented {
  node: ts.Node;
  name: string;
  text: string;
  returns: string;
}

export function documentedIn(file: ts.SourceFile): Documented[] {
  const found: Documented[] = [];
  const visit = (node: ts.Node): void => {
    const text = isNamed(node) ? throwsOf(node) : '';
    if (isNamed(node) && text !== '') {
      found.push({ node, name: node.name.getText(), text, returns: tagsOf(node, 'returns').join(' ') });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

type Named = ts.NamedDeclaration & { name: ts.DeclarationName };

/** A type alias has no code of its own: the fields and functions of the type have. */
function isNamed(node: ts.Node): node is Named {
  return (
    (ts.isFunctionDeclaration(node) && node.name !== undefined) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node)
  );
}

function throwsOf(node: ts.Node): string {
  return tagsOf(node, 'throws')
    .flatMap((text) => /^Refusal\b *(.*)/.exec(text)?.[1] ?? [])
    .join('; ');
}

function tagsOf(node: ts.Node, tag: string): string[] {
  const tags = ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === tag);
  return tags.map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' '));
}

/** The mistakes in a list. */
export function problemsOf(docstring: Docstring): string[] {
  const { text, returns, thrown, thrownByCalls, isOfRoute } = docstring;
  const { names, functions } = parse(text);
  const isOfItsRoute = text.includes(AS_ROUTE);
  const listed = new Set([...names, ...quoted(returns)]);
  const isCovered = (name: RefusalName) => functions.some((one) => thrownByCalls.get(one)?.has(name));
  return [
    ...names.filter((name) => !isRefusalName(name)).map((name) => `${name} is not a refusal`),
    ...names
      .filter((name) => isRefusalName(name) && !thrown.has(name))
      .map((name) => `${name} is never thrown`),
    ...[...thrown]
      .filter((name) => isOfCaller(name) && !isOfItsRoute && !listed.has(name) && !isCovered(name))
      .map((name) => `${name} is missing`),
    ...functions.filter((one) => !thrownByCalls.has(one)).map((one) => `${one} is not called`),
    ...(isOfItsRoute && !isOfRoute ? ['no route leads here'] : []),
    ...bareOutages(text).map((name) => `${name} has no words about it`),
    ...(/\b[45]\d\d\b/.test(text) ? ['a status is no refusal'] : []),
  ];
}

const AS_ROUTE = 'as its route declares';
/** Functions whose refusals are also thrown: as `one`, `another` and `a third`. */
const AS_FUNCTIONS = /\bas ((?:`\w+`(?:, | and )?)+)/g;

function parse(text: string): { names: string[]; functions: string[] } {
  const functions = [...text.matchAll(AS_FUNCTIONS)].flatMap(([, list = '']) => quoted(list));
  const names = quoted(text.replace(AS_FUNCTIONS, '')).filter((word) => /^[a-z_]+$/.test(word));
  return { names, functions };
}

const quoted = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

const isRefusalName = (name: string): name is RefusalName => Object.hasOwn(REFUSALS, name);

/** False for faults and outages. */
const isOfCaller = (name: RefusalName) => statusOf(codeOf(name)) < 500;

/** The faults and outages that are listed by name alone. */
function bareOutages(text: string): string[] {
  const bare = [...text.matchAll(/`(\w+)`(?=[,;]|$)/g)].map(([, word = '']) => word);
  return bare.filter((word) => isRefusalName(word) && !isOfCaller(word));
}
