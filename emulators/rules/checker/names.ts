import { children, type Expression, type Position } from '../ast.ts';
import { globalFunctions, namespaces } from '../builtins/registry.ts';
import type { FunctionTable } from '../builtins/table.ts';
import { issueAt, type Issue } from '../issue.ts';
import type { FunctionNode, LexicalScope, Scopes } from './scopes.ts';

/** Number of arguments of the functions that read documents. */
const DOCUMENT_FUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['cloud.firestore', new Set(['get', 'exists', 'getAfter', 'existsAfter'])],
]);
const FIRESTORE_FUNCTIONS: ReadonlySet<string> = new Set(['get', 'exists']);

/**
 * Reports unknown names, wrong numbers of arguments and unused declarations. These are warnings, as in the official
 * compiler: the ruleset loads, and an expression that uses such a name is an evaluation error.
 */
export function checkNames({ functions, allows }: Scopes): Issue[] {
  const used = new Set<FunctionNode>();
  const issues = allows.flatMap(({ allow, scope, service }) =>
    allow.condition === undefined
      ? []
      : checkIn(allow.condition, { scope, locals: new Set(), service, used }),
  );
  const services = [...new Set(allows.map(({ service }) => service))];
  for (const node of functions) issues.push(...checkFunction(node, services[0], used));
  const unused = functions.filter((node) => !used.has(node));
  return [
    ...issues,
    ...unused.map(({ declaration: { name, position } }) => warning(position, `Unused function: ${name}.`)),
  ];
}

interface Names {
  readonly scope: LexicalScope;
  readonly locals: ReadonlySet<string>;
  readonly service: string | undefined;
  /** The functions that something calls; filled on the way. */
  readonly used: Set<FunctionNode>;
}

const warning = (position: Position, message: string): Issue => issueAt(position, message, 'warning');

function checkFunction(node: FunctionNode, service: string | undefined, used: Set<FunctionNode>): Issue[] {
  const { parameters, bindings, result } = node.declaration;
  const locals = new Set(parameters);
  const issues: Issue[] = [];
  for (const binding of bindings) {
    issues.push(...checkIn(binding.value, { scope: node.scope, locals, service, used }));
    locals.add(binding.name);
  }
  const expressions = [...bindings.map(({ value }) => value), result];
  const read = new Set(expressions.flatMap(variablesOf));
  for (const { name, position } of bindings) {
    if (!read.has(name)) issues.push(warning(position, `Unused variable: ${name}.`));
  }
  return [...issues, ...checkIn(result, { scope: node.scope, locals, service, used })];
}

function variablesOf(expression: Expression): string[] {
  const own = expression.kind === 'variable' ? [expression.name] : [];
  return [...own, ...children(expression).flatMap(variablesOf)];
}

function checkIn(expression: Expression, names: Names): Issue[] {
  switch (expression.kind) {
    case 'variable':
      return isVisible(expression.name, names)
        ? []
        : [warning(expression.position, `Invalid variable name: ${expression.name}.`)];
    case 'call':
      return [...checkCall(expression, names), ...expression.args.flatMap((arg) => checkIn(arg, names))];
    case 'methodCall': {
      const table = namespaceTable(expression.object, names);
      if (table === undefined) break;
      return [
        ...checkArity(
          expression,
          `${namespaceName(expression.object)}.${expression.name}`,
          table(expression.name),
        ),
        ...expression.args.flatMap((arg) => checkIn(arg, names)),
      ];
    }
    default:
      break;
  }
  return children(expression).flatMap((child) => checkIn(child, names));
}

const isVisible = (name: string, { scope, locals }: Names): boolean =>
  locals.has(name) || scope.hasName(name);

type Call = Extract<Expression, { kind: 'call' | 'methodCall' }>;

function checkCall(call: Extract<Expression, { kind: 'call' }>, names: Names): Issue[] {
  const declared = names.scope.function(call.name);
  if (declared !== undefined) {
    names.used.add(declared);
    return checkArity(call, call.name, declared.declaration.parameters.length);
  }
  const readsDocuments = DOCUMENT_FUNCTIONS.get(names.service ?? '')?.has(call.name) ?? false;
  return checkArity(call, call.name, readsDocuments ? 1 : arityIn(globalFunctions, call.name));
}

function checkArity(call: Call, name: string, arity: number | undefined): Issue[] {
  if (arity === undefined) return [warning(call.position, `Invalid function name: ${name}.`)];
  return arity === call.args.length
    ? []
    : [warning(call.position, `Incorrect number of arguments supplied to function: ${name}.`)];
}

function arityIn(table: FunctionTable, name: string): number | undefined {
  return Object.hasOwn(table, name) ? table[name]?.length : undefined;
}

const namespaceName = (expression: Expression): string =>
  expression.kind === 'variable' ? expression.name : '';

function namespaceTable(
  object: Expression,
  names: Names,
): ((name: string) => number | undefined) | undefined {
  if (object.kind !== 'variable' || isVisible(object.name, names)) return undefined;
  if (object.name === 'firestore' && names.service === 'firebase.storage') {
    return (name) => (FIRESTORE_FUNCTIONS.has(name) ? 1 : undefined);
  }
  const table = namespaces.get(object.name);
  return table === undefined ? undefined : (name) => arityIn(table, name);
}
