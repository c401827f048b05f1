import type { Expression } from '../ast.ts';
import { expectType } from '../builtins/arguments.ts';
import { callOn } from '../builtins/registry.ts';
import { callFunction } from '../builtins/table.ts';
import { EvaluationError, functionNotFound } from '../errors.ts';
import type { Trace } from '../request.ts';
import { bool, list, map, path, type BoolValue, type Value } from '../value.ts';
import { element, property, range, segmentsOf } from './access.ts';
import type { Budget } from './budget.ts';
import { globalTable, namespaceOf, type DocumentFunctions } from './calls.ts';
import { applyOperator, applyUnary } from './operators.ts';
import { Scope } from './scope.ts';
import { isOfType } from './types.ts';

/** The parts of an evaluation beside the names in scope. */
export interface Context {
  readonly budget: Budget;
  readonly documents: DocumentFunctions;
  readonly trace: Trace | undefined;
}

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/**
 * Evaluates an expression. Throws an EvaluationError, from which `&&` and `||` around it may recover; a LimitError or a
 * MissingDocument passes through everything.
 */
export function evaluate(expression: Expression, scope: Scope, context: Context): Value {
  context.budget.spend(1);
  const { trace } = context;
  if (trace === undefined) return evaluateKind(expression, scope, context);
  try {
    const value = evaluateKind(expression, scope, context);
    trace(expression, value);
    return value;
  } catch (error) {
    if (error instanceof EvaluationError) trace(expression, error);
    throw error;
  }
}

function evaluateKind(expression: Expression, scope: Scope, context: Context): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'variable':
      return scope.variable(expression.name);
    case 'member':
      return property(evaluate(expression.object, scope, context), expression.name);
    case 'call':
      return evaluateCall(expression, scope, context);
    case 'methodCall':
      return evaluateMethodCall(expression, scope, context);
    case 'binary':
      return evaluateBinary(expression, scope, context);
    case 'conditional':
      return evaluateConditional(expression, scope, context);
    default:
      return evaluateStrict(expression, scope, context);
  }
}

type Strict = Of<'index' | 'slice' | 'unary' | 'is' | 'list' | 'map' | 'path'>;

function evaluateStrict(expression: Strict, scope: Scope, context: Context): Value {
  switch (expression.kind) {
    case 'index': {
      const [object, index] = evaluatePair(expression.object, expression.index, scope, context);
      return element(object, index);
    }
    case 'slice': {
      const [object, from] = evaluatePair(expression.object, expression.from, scope, context);
      return range(object, from, evaluate(expression.to, scope, context));
    }
    case 'unary':
      return applyUnary(expression.operator, evaluate(expression.operand, scope, context));
    case 'is':
      return bool(isOfType(evaluate(expression.operand, scope, context), expression.typeName));
    case 'list':
      return list(evaluateAll(expression.items, scope, context));
    case 'map':
      return evaluateMap(expression, scope, context);
    case 'path':
      return evaluatePath(expression, scope, context);
  }
}

/** Evaluates every expression, also after one of them failed, as the official runtime does and counts. */
function evaluateAll(expressions: readonly Expression[], scope: Scope, context: Context): Value[] {
  const outcomes = expressions.map((expression) => attempt(expression, scope, context));
  return outcomes.map((outcome) => {
    if (outcome instanceof EvaluationError) throw outcome;
    return outcome;
  });
}

/** The value of an expression, or the error that its evaluation ended in. */
function attempt(expression: Expression, scope: Scope, context: Context): Value | EvaluationError {
  try {
    return evaluate(expression, scope, context);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

function evaluatePair(left: Expression, right: Expression, scope: Scope, context: Context): [Value, Value] {
  return evaluateAll([left, right], scope, context) as [Value, Value];
}

function evaluateBinary(expression: Of<'binary'>, scope: Scope, context: Context): Value {
  const { operator } = expression;
  if (operator === '&&' || operator === '||') {
    return bool(evaluateLogical(expression, operator === '||', scope, context));
  }
  const [left, right] = evaluatePair(expression.left, expression.right, scope, context);
  return applyOperator(operator, left, right);
}

/** A side that is `decisive` (true for `||`, false for `&&`) decides, even when the other one cannot be evaluated. */
function evaluateLogical(
  expression: Of<'binary'>,
  decisive: boolean,
  scope: Scope,
  context: Context,
): boolean {
  const left = attemptBool(expression.left, scope, context);
  if (!(left instanceof EvaluationError) && left.value === decisive) return decisive;
  context.budget.spend(1);
  const right = attemptBool(expression.right, scope, context);
  if (!(right instanceof EvaluationError) && right.value === decisive) return decisive;
  if (left instanceof EvaluationError) throw left;
  if (right instanceof EvaluationError) throw right;
  return !decisive;
}

function attemptBool(expression: Expression, scope: Scope, context: Context): BoolValue | EvaluationError {
  try {
    return expectType(evaluate(expression, scope, context), 'bool');
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** `name(args)`: a declared function, one that reads documents, or a built-in one. */
function evaluateCall(call: Of<'call'>, scope: Scope, context: Context): Value {
  const args = evaluateAll(call.args, scope, context);
  const declared = scope.function(call.name);
  if (declared !== undefined) return callDeclared(declared, args, context);
  return callFunction(globalTable(call.name, context.documents), call.name, args);
}

/** `object.name(args)`: a function of a namespace, or a method of a value. */
function evaluateMethodCall(call: Of<'methodCall'>, scope: Scope, context: Context): Value {
  const table = namespaceOf(call.object, scope, context.documents);
  if (table !== undefined) {
    const args = evaluateAll(call.args, scope, context);
    context.budget.spend(1);
    return callFunction(table, call.name, args);
  }
  const [object, ...args] = evaluateAll([call.object, ...call.args], scope, context);
  if (object === undefined) throw functionNotFound(call.name);
  return callOn(object, call.name, args);
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

function evaluateConditional(expression: Of<'conditional'>, scope: Scope, context: Context): Value {
  context.budget.spend(1);
  const condition = expectType(evaluate(expression.condition, scope, context), 'bool').value;
  if (!condition) context.budget.spend(2);
  return evaluate(condition ? expression.then : expression.otherwise, scope, context);
}

function evaluateMap(expression: Of<'map'>, scope: Scope, context: Context): Value {
  const parts = evaluateAll(expression.entries.flat(), scope, context);
  return map(
    expression.entries.map((_, index): [string, Value] => {
      const [key, value] = parts.slice(2 * index) as [Value, Value];
      return [expectType(key, 'string').value, value];
    }),
  );
}

function evaluatePath(expression: Of<'path'>, scope: Scope, context: Context): Value {
  return path(
    expression.segments.flatMap((segment) => {
      if (typeof segment !== 'string') return segmentsOf(evaluate(segment, scope, context));
      context.budget.spend(1);
      return [segment];
    }),
  );
}
