import { children, type Expression, type FunctionDeclaration, type SyntaxTree } from '../ast.ts';
import { issueAt, type Issue } from '../issue.ts';
import { MAX_CALL_STACK, MAX_LET_BINDINGS, MAX_PARAMETERS } from '../limits.ts';
import type { FunctionNode, Scopes } from './scopes.ts';

/** Names declared twice, and numbers of parameters and bindings. */
export function checkDeclarations(tree: SyntaxTree): Issue[] {
  return declarationLists(tree).flatMap((declarations) => [
    ...duplicates(declarations),
    ...declarations.flatMap(checkDeclaration),
  ]);
}

function declarationLists({ functions, services }: SyntaxTree): (readonly FunctionDeclaration[])[] {
  const lists = [functions];
  for (const service of services) {
    lists.push(service.functions);
    const pending = [...service.matches];
    for (let match = pending.shift(); match !== undefined; match = pending.shift()) {
      lists.push(match.functions);
      pending.push(...match.matches);
    }
  }
  return lists;
}

function duplicates(declarations: readonly FunctionDeclaration[]): Issue[] {
  return declarations
    .filter(({ name }, index) => declarations.findIndex((other) => other.name === name) < index)
    .map(({ name, position }) => issueAt(position, `Function ${name} is already defined.`));
}

function checkDeclaration({ parameters, bindings, result, position, name }: FunctionDeclaration): Issue[] {
  const issues: Issue[] = [];
  if (parameters.length > MAX_PARAMETERS) {
    issues.push(issueAt(position, `Function ${name} has more than ${MAX_PARAMETERS} parameters.`));
  }
  if (bindings.length > MAX_LET_BINDINGS) {
    const message = 'Maximum allowed variable count of 10 for a given function has been reached.';
    issues.push(issueAt(result.position, message));
  }
  const bound = new Set<string>();
  for (const { name: local, at } of [
    ...parameters.map((parameter) => ({ name: parameter, at: position })),
    ...bindings.map((binding) => ({ name: binding.name, at: binding.position })),
  ]) {
    if (bound.has(local)) {
      issues.push(issueAt(at, `The identifier [${local}] is already bound in the current scope.`));
    }
    bound.add(local);
  }
  return issues;
}

/** Functions that call themselves, directly or not, and chains of calls that are too long. */
export function checkCalls({ functions }: Scopes): Issue[] {
  const callees = new Map(functions.map((node) => [node, calledBy(node)]));
  const chains = new Map<FunctionNode, Chain>();
  const recursive = new Set<FunctionNode>();

  /** The longest chain of calls that starts here, as far as it matters; notes where calls lead back. */
  const chainFrom = (node: FunctionNode, depth: number): Chain => {
    const known = chains.get(node);
    if (known === 'onTheWay') recursive.add(node);
    if (known !== undefined) return known;
    chains.set(node, 'onTheWay');
    let best: readonly FunctionNode[] = [];
    for (const callee of depth > MAX_SEARCH_DEPTH ? [] : (callees.get(node) ?? [])) {
      const chain = chainFrom(callee, depth + 1);
      if (chain !== 'onTheWay' && chain.length > best.length) best = chain;
    }
    const chain = [node, ...best].slice(0, MAX_CALL_STACK + 1);
    chains.set(node, chain);
    return chain;
  };

  return functions.flatMap((node) => {
    const chain = chainFrom(node, 0);
    const { position } = node.declaration;
    if (recursive.has(node)) return [issueAt(position, 'Recursive call is not allowed.')];
    if (chain === 'onTheWay' || chain.length <= MAX_CALL_STACK) return [];
    const stack = chain.slice(0, MAX_CALL_STACK).map(({ declaration }) => declaration.name);
    return [
      issueAt(position, `Maximum allowed call depth of 20 is reached for [${stack.join('->')}] call stack.`),
    ];
  });
}

/** Functions from one on, each calling the next; while that is being found, calls to it lead back. */
type Chain = readonly FunctionNode[] | 'onTheWay';

/** A chain that is followed so far is too long already. */
const MAX_SEARCH_DEPTH = 100;

function calledBy({ declaration, scope }: FunctionNode): FunctionNode[] {
  const found = new Set<FunctionNode>();
  const visit = (expression: Expression): void => {
    const callee = expression.kind === 'call' ? scope.function(expression.name) : undefined;
    if (callee !== undefined) found.add(callee);
    children(expression).forEach(visit);
  };
  declaration.bindings.forEach(({ value }) => {
    visit(value);
  });
  visit(declaration.result);
  return [...found];
}
