import { invalidArgument } from '../errors.ts';
import { parseFieldPath } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { WireExpression } from '../wire/messages.ts';
import { compile, constantOf } from './expression.ts';
import type { Expression } from './row.ts';

// The arguments of stages. Each function throws INVALID_ARGUMENT for an argument of another kind.

/** The entries of a map that is not to be evaluated as a whole. */
export function mapArgument(
  stage: string,
  wire: WireExpression | undefined,
): Readonly<Record<string, WireExpression>> {
  if (wire?.mapValue) return wire.mapValue.fields ?? {};
  throw invalidArgument(`${expectation(wire)} The stage "${stage}" needs a map.`);
}

/** In production's words: `Expected fields to be MAP_VALUE, but was FIELD_REFERENCE_VALUE.` */
function expectation(wire: WireExpression = {}): string {
  const kind = Object.keys(wire)[0] ?? 'unset';
  return `Expected fields to be MAP_VALUE, but was ${kind.replace(/[A-Z]/g, '_$&').toUpperCase()}.`;
}

/** Expressions with the names of the fields for their results. */
export const aliased = (
  stage: string,
  wire: WireExpression | undefined,
): readonly (readonly [alias: string, Expression])[] =>
  Object.entries(mapArgument(stage, wire)).map(([alias, value]) => [alias, compile(value)] as const);

export function fieldArgument(stage: string, wire: WireExpression | undefined): FieldPath {
  if (wire?.fieldReferenceValue !== undefined) return parseFieldPath(wire.fieldReferenceValue);
  throw invalidArgument(`The stage "${stage}" needs a field as its argument.`);
}

export function expressionArgument(stage: string, wire: WireExpression | undefined): Expression {
  if (wire) return compile(wire);
  throw invalidArgument(`The stage "${stage}" needs an expression as its argument.`);
}

/** A count from zero. */
export function countArgument(stage: string, wire: WireExpression | undefined): number {
  const count = constantOf(wire);
  if (typeof count === 'bigint' && count >= 0n) return Number(count);
  throw invalidArgument(`The stage "${stage}" needs an integer of at least zero as its argument.`);
}

export function numberArgument(stage: string, wire: WireExpression | undefined): number {
  const number = constantOf(wire);
  if (typeof number === 'bigint' || typeof number === 'number') return Number(number);
  throw invalidArgument(`The stage "${stage}" needs a number as its argument.`);
}

export function textArgument(stage: string, wire: WireExpression | undefined): string {
  const text = constantOf(wire);
  if (typeof text === 'string') return text;
  throw invalidArgument(`The stage "${stage}" needs a string as its argument.`);
}
