import { expectType } from '../builtins/arguments.ts';
import { callOn, globalFunctions, namespaces } from '../builtins/registry.ts';
import { callFunction, type FunctionTable } from '../builtins/table.ts';
import type { Expression } from '../ast.ts';
import type { DocumentAccess } from '../documents.ts';
import { EvaluationError, functionNotFound } from '../errors.ts';
import { bool, type Value } from '../value.ts';
import { attempt, evaluate, evaluateAll, type Context } from './evaluator.ts';
import { Scope } from './scope.ts';

/** Functions that read documents: without a namespace in Firestore rules, under `firestore` in Storage rules. */
export interface DocumentFunctions {
  readonly global: FunctionTable;
  readonly firestore: FunctionTable | undefined;
}

type Call = Extract<Expression, { kind: 'call' }>;
type MethodCall = Extract<Expression, { kind: 'methodCall' }>;

const NONE: FunctionTable = {};

/** `get` and `exists`, and for writes also `getAfter` and `existsAfter`. */
export function firestoreFunctions(access: DocumentAccess, isWrite: boolean): DocumentFunctions {
  const now = readers(access);
  const after: FunctionTable = {
    getAfter: (path) => access.get(expectType(path, 'path'), 'after'),
    existsAfter: (path) => bool(access.exists(expectType(path, 'path'), 'after')),
  };
  return { global: isWrite ? { ...now, ...after } : now, firestore: undefined };
}

/** `firestore.get` and `firestore.exists` */
export function storageFunctions(access: DocumentAccess): DocumentFunctions {
  return { global: NONE, firestore: readers(access) };
}

function readers(access: DocumentAccess): FunctionTable {
  return {
    get: (path) => access.get(expectType(path, 'path'), 'before'),
    exists: (path) => bool(access.exists(expectType(path, 'path'), 'before')),
  };
}

/** `name(args)`: a declared function, one that reads documents, or a built-in one. */
export function callFunctionNamed(call: Call, scope: Scope, context: Context): Value {
  const args = evaluateAll(call.args, scope, context);
  const declared = scope.function(call.name);
  if (declared !== undefined) return callDeclared(declared, args, context);
  const table = Object.hasOwn(context.documents.global, call.name)
    ? context.documents.global
    : globalFunctions;
  return callFunction(table, call.name, args);
}

/** `object.name(args)`: a function of a namespace, or a method of a value. */
export function callMethodNamed(call: MethodCall, scope: Scope, context: Context): Value {
  const table = namespaceOf(call.object, scope, context);
  if (table !== undefined) {
    const args = evaluateAll(call.args, scope, context);
    context.budget.spend(1);
    return callFunction(table, call.name, args);
  }
  const [object, ...args] = evaluateAll([call.object, ...call.args], scope, context);
  if (object === undefined) throw functionNotFound(call.name);
  return callOn(object, call.name, args);
}

function namespaceOf(object: Expression, scope: Scope, context: Context): FunctionTable | undefined {
  if (object.kind !== 'variable' || scope.has(object.name)) return undefined;
  return object.name === 'firestore' ? context.documents.firestore : namespaces.get(object.name);
}

function callDeclared(
  { declaration, scope }: NonNullable<ReturnType<Scope['function']>>,
  args: readonly Value[],
  context: Context,
): Value {
  const { name, parameters, bindings, result } = declaration;
  if (args.length !== parameters.length) {
    throw new EvaluationError(`Incorrect number of arguments supplied to function: ${name}.`);
  }
  const locals = new Map<string, Value | EvaluationError>();
  args.forEach((value, index) => locals.set(parameters[index] ?? '', value));
  const inner = new Scope(scope, locals);
  for (const binding of bindings) {
    context.budget.spend(1);
    locals.set(binding.name, attempt(binding.value, inner, context));
  }
  return evaluate(result, inner, context);
}
