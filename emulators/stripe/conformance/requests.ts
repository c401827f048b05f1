import ts from 'typescript';
import type { Table } from '../api/parameters/params.ts';
import { alternatives } from './types.ts';

/**
 * The differences between a table of parameters and the SDK's type: a name of Stripe's that is neither supported nor
 * listed as unsupported, or a name that Stripe does not have. The same for the values of an enum.
 */
export function differences(checker: ts.TypeChecker, type: ts.Type, table: Table, path: string): string[] {
  const theirs = new Map(
    objectsIn(checker, type).flatMap((object) => object.getProperties().map((row) => [row.name, row])),
  );
  const ours = new Set([...Object.keys(table.fields), ...table.unsupported]);
  const twice = table.unsupported.filter((name) => Object.hasOwn(table.fields, name));
  return [
    ...twice.map((name) => `${path}[${name}] is taken and unsupported`),
    ...[...theirs.keys()].filter((name) => !ours.has(name)).map((name) => `${path}[${name}] is not known`),
    // Every answer with an object can be expanded here.
    ...[...ours]
      .filter((name) => !theirs.has(name) && name !== 'expand')
      .map((name) => `${path}[${name}] is not Stripe's`),
    ...Object.entries(table.fields).flatMap(([name, { inner, words }]) => {
      const property = theirs.get(name);
      if (!property) return [];
      const expected = checker.getTypeOfSymbol(property);
      const here = `${path}[${name}]`;
      return [
        ...(inner ? differences(checker, expected, inner, here) : []),
        ...(words ? otherWords(checker, expected, words, here) : []),
      ];
    }),
  ];
}

function otherWords(checker: ts.TypeChecker, type: ts.Type, ours: readonly string[], path: string): string[] {
  const theirs = wordsIn(checker, type);
  if (theirs.length === 0) return [];
  return [
    ...theirs.filter((word) => !ours.includes(word)).map((word) => `${path}=${word} is not known`),
    ...ours.filter((word) => !theirs.includes(word)).map((word) => `${path}=${word} is not Stripe's`),
  ];
}

/** The words that a parameter may be, itself or as the elements of a list; the empty one unsets. */
function wordsIn(checker: ts.TypeChecker, type: ts.Type): string[] {
  return alternatives(type).flatMap((alternative) => {
    if (checker.isArrayType(alternative)) {
      return checker
        .getTypeArguments(alternative as ts.TypeReference)
        .flatMap((element) => wordsIn(checker, element));
    }
    return alternative.isStringLiteral() && alternative.value !== '' ? [alternative.value] : [];
  });
}

/** The object types that a parameter may have, itself or as the elements of a list. */
function objectsIn(checker: ts.TypeChecker, type: ts.Type): ts.Type[] {
  return alternatives(type).flatMap((alternative) => {
    if (checker.isArrayType(alternative)) {
      return checker
        .getTypeArguments(alternative as ts.TypeReference)
        .flatMap((element) => objectsIn(checker, element));
    }
    return alternative.flags & ts.TypeFlags.Object ? [alternative] : [];
  });
}
