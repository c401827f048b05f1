import ts from 'typescript';
import { alternatives, isOptional } from './types.ts';

/**
 * The differences between a JSON value and its type: a property that is missing or unknown, another type, a word that
 * is not among the listed ones. Decimals travel as text, and `lastResponse` is the SDK's own.
 */
export function mismatches(checker: ts.TypeChecker, type: ts.Type, value: unknown, path: string): string[] {
  const tried = possible(checker, type, value).map((alternative) =>
    compare(checker, alternative, value, path),
  );
  const fit = tried.find((found) => found.length === 0);
  if (fit) return [];
  // The nearest alternative has the most useful message.
  return tried.toSorted((a, b) => a.length - b.length)[0] ?? [`${path}: nothing is allowed`];
}

/** Alternatives, without the SDK's "or any other text", which would let every word through, and without other kinds. */
function possible(checker: ts.TypeChecker, type: ts.Type, value: unknown): readonly ts.Type[] {
  const all = alternatives(type);
  if (all.length === 1) return all;
  if (typeof value === 'object' && value !== null) {
    const fitting = all.filter((alternative) =>
      isOfKind(checker, alternative, new Map(Object.entries(value))),
    );
    return fitting.length > 0 ? fitting : all;
  }
  const words = all.some((alternative) => alternative.isStringLiteral());
  return words ? all.filter((alternative) => !alternative.isIntersection()) : all;
}

/** Objects name their type in `object`, events in `type`. */
function isOfKind(checker: ts.TypeChecker, type: ts.Type, value: ReadonlyMap<string, unknown>): boolean {
  return ['object', 'type'].every((name) => {
    const property = type.getProperty(name);
    const expected = property && checker.getTypeOfSymbol(property);
    return !expected?.isStringLiteral() || expected.value === value.get(name);
  });
}

function compare(checker: ts.TypeChecker, type: ts.Type, value: unknown, path: string): string[] {
  const wrong = [`${path}: ${JSON.stringify(value).slice(0, 60)} is no ${checker.typeToString(type)}`];
  if (type.isStringLiteral() || type.isNumberLiteral()) return value === type.value ? [] : wrong;
  const primitive = primitiveOf(checker, type);
  if (primitive) return primitive(value) ? [] : wrong;
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    if (!Array.isArray(value) || !element) return wrong;
    return value.flatMap((item, index) => mismatches(checker, element, item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  return compareObject(checker, type, value, path);
}

type Test = (value: unknown) => boolean;

function primitiveOf(checker: ts.TypeChecker, type: ts.Type): Test | undefined {
  const { flags } = type;
  if (flags & ts.TypeFlags.BooleanLiteral) return (value) => String(value) === checker.typeToString(type);
  if (
    flags & ts.TypeFlags.String ||
    checker.typeToString(type) === 'Decimal' ||
    (type.isIntersection() && isText(type))
  ) {
    return (value) => typeof value === 'string';
  }
  if (flags & ts.TypeFlags.Number) return (value) => typeof value === 'number';
  if (flags & ts.TypeFlags.Null) return (value) => value === null;
  if (flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never)) return () => false;
  return undefined;
}

function isText(type: ts.IntersectionType): boolean {
  return type.types.some((part) => (part.flags & ts.TypeFlags.String) !== 0);
}

function compareObject(checker: ts.TypeChecker, type: ts.Type, value: object, path: string): string[] {
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const properties = type.getProperties().filter(({ name }) => name !== 'lastResponse');
  const given = new Map(Object.entries(value));
  const missing = properties
    .filter((property) => !isOptional(property) && !given.has(property.name))
    .map(({ name }) => `${path}.${name} is missing`);
  const found = [...given].flatMap(([name, entry]) => {
    const property = properties.find((candidate) => candidate.name === name);
    const expected = property ? checker.getTypeOfSymbol(property) : index;
    if (!expected) return [`${path}.${name} is unknown`];
    return mismatches(checker, expected, entry, `${path}.${name}`);
  });
  return [...missing, ...found];
}
