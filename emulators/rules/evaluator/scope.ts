import type { FunctionDeclaration } from '../ast.ts';
import { EvaluationError, variableNotFound } from '../errors.ts';
import type { Value } from '../value.ts';

/**
 * The value of a variable. If a `let` could not be evaluated, it is the error, which is thrown where the variable is
 * used.
 */
type Binding = Value | EvaluationError;

/** The names that are visible at a place: those declared there, and those of the places around it. */
export class Scope {
  readonly #variables: ReadonlyMap<string, Binding>;
  readonly #functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly #parent: Scope | undefined;

  constructor(
    parent: Scope | undefined,
    variables: ReadonlyMap<string, Binding>,
    functions: readonly FunctionDeclaration[] = [],
  ) {
    this.#parent = parent;
    this.#variables = variables;
    this.#functions = new Map(functions.map((declaration) => [declaration.name, declaration]));
  }

  has(name: string): boolean {
    return this.#variables.has(name) || (this.#parent?.has(name) ?? false);
  }

  /** The value of a variable; throws an EvaluationError. */
  variable(name: string): Value {
    const binding = this.#variables.get(name) ?? this.#parent?.variable(name);
    if (binding === undefined) throw variableNotFound(name);
    if (binding instanceof EvaluationError) throw binding;
    return binding;
  }

  /** A function and the scope it was declared in, which is the one its body sees. */
  function(name: string): { declaration: FunctionDeclaration; scope: Scope } | undefined {
    const declaration = this.#functions.get(name);
    return declaration === undefined ? this.#parent?.function(name) : { declaration, scope: this };
  }
}
