import { children } from '@hearth/security-rules/ast';
import type { Expression, FunctionDeclaration, MatchStatement, SyntaxTree } from '@hearth/security-rules/ast';
import { EvaluationError } from '@hearth/security-rules/errors';
import type { Trace } from '@hearth/security-rules/request';

/** The result of an expression: `true`, `false`, `error`, or the type of another value. */
type Result = string;

/** Position of an expression, its results with their counts, and the same for its subexpressions. */
export interface ExpressionReport {
  readonly sourcePosition: {
    readonly line: number;
    readonly column: number;
    /** In UTF-16 units from 0; the end is behind the last character. */
    readonly currentOffset: number;
    readonly endOffset: number;
  };
  readonly values: readonly { readonly value: object; readonly count: number }[];
  readonly children: readonly ExpressionReport[];
}

/** Counts how the expressions of a ruleset come out. */
export class Coverage {
  readonly source: string;
  readonly #roots: readonly Expression[];
  readonly #counts = new Map<Expression, Map<Result, number>>();

  constructor(source: string, tree: SyntaxTree) {
    this.source = source;
    this.#roots = rootsOf(tree).sort((left, right) => left.position.offset - right.position.offset);
  }

  readonly record: Trace = (expression, outcome) => {
    let counts = this.#counts.get(expression);
    if (!counts) this.#counts.set(expression, (counts = new Map<Result, number>()));
    const result = resultOf(outcome);
    counts.set(result, (counts.get(result) ?? 0) + 1);
  };

  /** The conditions, `let` values and function results, in the order of the source. */
  report(): readonly ExpressionReport[] {
    return this.#roots.map((root) => this.#reportOn(root));
  }

  #reportOn(expression: Expression): ExpressionReport {
    const { position, end } = expression;
    const counts = this.#counts.get(expression) ?? new Map<Result, number>();
    return {
      sourcePosition: {
        line: position.line,
        column: position.column,
        currentOffset: position.offset,
        endOffset: end,
      },
      values: [...counts].map(([result, count]) => ({ value: asJson(result), count })),
      children: children(expression).map((child) => this.#reportOn(child)),
    };
  }
}

function resultOf(outcome: Parameters<Trace>[1]): Result {
  if (outcome instanceof EvaluationError) return 'error';
  return outcome.type === 'bool' ? String(outcome.value) : outcome.type;
}

/** Booleans and errors as the official emulator reports them; of other values only the type is kept. */
function asJson(result: Result): object {
  if (result === 'true' || result === 'false') return { boolValue: result === 'true' };
  return result === 'error' ? { undefined: {} } : { type: result };
}

const rootsOf = ({ services, functions }: SyntaxTree): Expression[] => [
  ...functions.flatMap(inFunction),
  ...services.flatMap((service) => [
    ...service.functions.flatMap(inFunction),
    ...service.matches.flatMap(inMatch),
  ]),
];

const inMatch = ({ allows, functions, matches }: MatchStatement): Expression[] => [
  ...functions.flatMap(inFunction),
  ...allows.flatMap(({ condition }) => condition ?? []),
  ...matches.flatMap(inMatch),
];

const inFunction = ({ bindings, result }: FunctionDeclaration): Expression[] => [
  ...bindings.map(({ value }) => value),
  result,
];
