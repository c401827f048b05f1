import { invalidArgument, StatusError } from '../errors.ts';
import { parseFieldPath } from '../model/field-path.ts';
import type { Value } from '../model/value.ts';
import type { WireExpression, WireFunction } from '../wire/messages.ts';
import { decodeValue } from '../wire/value-codec.ts';
import { FUNCTIONS } from './functions/table.ts';
import { notServed } from './refusal.ts';
import { valueAt } from './row.ts';
import type { Expression } from './row.ts';

/** Reads an expression. Throws INVALID_ARGUMENT, or UNIMPLEMENTED for a function that this server does not evaluate. */
export function compile(wire: WireExpression): Expression {
  if (wire.fieldReferenceValue !== undefined) {
    const field = parseFieldPath(wire.fieldReferenceValue);
    return (row) => valueAt(row, field);
  }
  if (wire.functionValue) return compileFunction(wire.functionValue);
  if (wire.pipelineValue) throw notServed('A pipeline as an expression');
  if (wire.variableReferenceValue !== undefined) throw notServed('A variable');
  if (wire.mapValue) return compileMap(wire.mapValue.fields ?? {});
  if (wire.arrayValue) return compileArray(wire.arrayValue.values ?? []);
  const value = decodeValue(wire);
  return () => value;
}

function compileFunction({ name = '', args = [] }: WireFunction): Expression {
  const definition = FUNCTIONS.get(name);
  if (!definition) throw notServed(`The function "${name}"`);
  const [least, most] = definition.arity;
  if (args.length < least || args.length > most) {
    throw invalidArgument(`The function "${name}" cannot have ${args.length} arguments.`);
  }
  const compiled = args.map(compile);
  return (row) => definition.apply(compiled, row);
}

/** A map without the entries whose values are absent. */
function compileMap(fields: Readonly<Record<string, WireExpression>>): Expression {
  const entries = Object.entries(fields).map(([key, value]) => [key, compile(value)] as const);
  return (row) => {
    const map = new Map<string, Value>();
    for (const [key, expression] of entries) {
      const value = expression(row);
      if (value !== undefined) map.set(key, value);
    }
    return map;
  };
}

/** An array in which absent values are null. */
function compileArray(values: readonly WireExpression[]): Expression {
  const elements = values.map(compile);
  return (row) => elements.map((element) => element(row) ?? null);
}

/** The constant of an argument such as the number of a limit, or undefined for an expression. */
export function constantOf(wire: WireExpression | undefined): Value | undefined {
  if (!wire || wire.fieldReferenceValue !== undefined || wire.functionValue || wire.pipelineValue) {
    return undefined;
  }
  try {
    return decodeValue(wire);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
