import { EvaluationError, functionNotFound } from '../errors.ts';
import type { Value } from '../value.ts';

/** Methods of a type by name; the first parameter is the value they are called on. */
export type MethodTable<Self extends Value> = Readonly<
  Record<string, (self: Self, ...args: readonly [Value, Value]) => Value>
>;

/** Functions of a namespace by name. */
export type FunctionTable = Readonly<
  Record<string, (...args: readonly [Value, Value, Value, Value]) => Value>
>;

/** Calls a method with exactly the arguments it declares; throws an EvaluationError. */
export function callMethod<Self extends Value>(
  table: MethodTable<Self>,
  self: Self,
  name: string,
  args: readonly Value[],
): Value {
  const method = Object.hasOwn(table, name) ? table[name] : undefined;
  if (method === undefined) throw functionNotFound(name);
  expectArity(name, args, method.length - 1);
  return method(self, ...(args as [Value, Value]));
}

/** Calls a function of a namespace; throws an EvaluationError. */
export function callFunction(table: FunctionTable, name: string, args: readonly Value[]): Value {
  const call = Object.hasOwn(table, name) ? table[name] : undefined;
  if (call === undefined) throw functionNotFound(name);
  expectArity(name, args, call.length);
  return call(...(args as [Value, Value, Value, Value]));
}

function expectArity(name: string, args: readonly Value[], arity: number): void {
  if (args.length !== arity) {
    throw new EvaluationError(`Incorrect number of arguments supplied to function: ${name}.`);
  }
}
