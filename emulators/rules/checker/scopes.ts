import type { AllowStatement, FunctionDeclaration, MatchStatement, SyntaxTree } from '../ast.ts';

/** A declared function and the names its body sees. */
export interface FunctionNode {
  readonly declaration: FunctionDeclaration;
  readonly scope: LexicalScope;
}

/** The names that are visible at a place of the source. */
export class LexicalScope {
  readonly #parent: LexicalScope | undefined;
  readonly #names: ReadonlySet<string>;
  readonly #functions: ReadonlyMap<string, FunctionNode>;

  constructor(
    parent: LexicalScope | undefined,
    names: readonly string[],
    functions: readonly FunctionDeclaration[],
  ) {
    this.#parent = parent;
    this.#names = new Set(names);
    this.#functions = new Map(
      functions.map((declaration) => [declaration.name, { declaration, scope: this }]),
    );
  }

  get functions(): FunctionNode[] {
    return [...this.#functions.values()];
  }

  hasName(name: string): boolean {
    return this.#names.has(name) || (this.#parent?.hasName(name) ?? false);
  }

  function(name: string): FunctionNode | undefined {
    return this.#functions.get(name) ?? this.#parent?.function(name);
  }
}

/** Everything that has a scope, in the order of the source. */
export interface Scopes {
  readonly functions: readonly FunctionNode[];
  readonly allows: readonly {
    readonly allow: AllowStatement;
    readonly scope: LexicalScope;
    readonly service: string;
  }[];
}

/** Finds the scope of every function and every `allow` statement. */
export function collectScopes(tree: SyntaxTree): Scopes {
  const globals = new LexicalScope(undefined, ['request', 'resource'], tree.functions);
  const functions = globals.functions;
  const allows: Scopes['allows'][number][] = [];

  const visit = (match: MatchStatement, parent: LexicalScope, service: string): void => {
    const captures = match.pattern.flatMap((segment) => (segment.kind === 'literal' ? [] : [segment.name]));
    const scope = new LexicalScope(parent, captures, match.functions);
    functions.push(...scope.functions);
    allows.push(...match.allows.map((allow) => ({ allow, scope, service })));
    for (const nested of match.matches) visit(nested, scope, service);
  };
  for (const service of tree.services) {
    const scope = new LexicalScope(globals, [], service.functions);
    functions.push(...scope.functions);
    for (const match of service.matches) visit(match, scope, service.name);
  }
  return { functions, allows };
}
