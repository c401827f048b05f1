import type { Method, SyntaxTree } from '../ast.ts';
import { expectType } from '../builtins/arguments.ts';
import { EvaluationError, LimitError, UndeterminedError } from '../errors.ts';
import { requestQuery } from '../queries/request-query.ts';
import type { Outcome, RulesRequest, Trace } from '../request.ts';
import { map, string, type Value } from '../value.ts';
import { Budget } from './budget.ts';
import type { DocumentFunctions } from './calls.ts';
import { evaluate, type Context } from './evaluator.ts';
import { captureMany, findCandidates, type Candidate, type PathSegment } from './match.ts';
import { Scope } from './scope.ts';

/** The methods that `allow read` and `allow write` include. */
const COVERED: Readonly<Record<Method, readonly Method[]>> = {
  read: ['get', 'list'],
  write: ['create', 'update', 'delete'],
  get: ['get'],
  list: ['list'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
};

/** The facts of one attempt to evaluate a request. */
export interface Facts {
  readonly method: Method;
  readonly path: readonly PathSegment[];
  /** `resource` */
  readonly resource: Value;
  /** `request.resource`; undefined for a read. */
  readonly newResource: Value | undefined;
  readonly functions: DocumentFunctions;
}

/** Tries the `allow` statements for a request until one allows it. */
export class Attempt {
  readonly #tree: SyntaxTree;
  readonly #request: RulesRequest;
  readonly #facts: Facts;
  readonly #context: Context;
  /** Reported only at the end, because an attempt that misses a document is repeated. */
  readonly #traced: Parameters<Trace>[] = [];
  #current: Candidate | undefined;
  /** The conditions in the order in which they were tried. */
  readonly outcomes: Outcome[] = [];

  constructor(tree: SyntaxTree, request: RulesRequest, facts: Facts) {
    this.#tree = tree;
    this.#request = request;
    this.#facts = facts;
    const traced = this.#traced;
    this.#context = {
      budget: new Budget(),
      documents: facts.functions,
      trace: request.trace && ((...step) => traced.push(step)),
    };
  }

  /** True if a statement allows the request. Throws a MissingDocument if a document must be read first. */
  evaluate(): boolean {
    try {
      for (const candidate of this.#candidates()) {
        this.#current = candidate;
        const outcome = evaluateStatement(candidate, this.#context);
        this.outcomes.push(outcome);
        if (outcome.result === 'true') return true;
      }
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      this.stop(error);
    }
    return false;
  }

  /** A limit ends the whole request, even if another statement would allow it. */
  stop(limit: LimitError): void {
    const position = this.#current === undefined ? { line: 1, column: 1 } : placeOf(this.#current);
    this.outcomes.push({ result: 'error', ...position, message: limit.message });
  }

  /** Reports the evaluated expressions to the request's trace. */
  report(): void {
    for (const step of this.#traced) this.#request.trace?.(...step);
  }

  #candidates(): Candidate[] {
    const wanted = COVERED[this.#facts.method];
    const globals = new Scope(undefined, this.#variables(), this.#tree.functions);
    return this.#tree.services
      .filter((service) => service.name === this.#request.service)
      .flatMap((service) => findCandidates(service, this.#tree.version, this.#facts.path, globals))
      .filter(({ allow }) => {
        const allowed = allow.methods.flatMap((granted) => COVERED[granted]);
        return wanted.every((needed) => allowed.includes(needed));
      });
  }

  #variables(): Map<string, Value> {
    const { auth, time, query } = this.#request;
    const { method, path, resource, newResource } = this.#facts;
    const request: [string, Value][] = [
      ['auth', auth],
      ['method', string(method)],
      ['path', captureMany(path)],
      ['time', time],
    ];
    if (query !== undefined) request.push(['query', requestQuery(query)]);
    if (newResource !== undefined) request.push(['resource', newResource]);
    return new Map([
      ['request', map(request)],
      ['resource', resource],
    ]);
  }
}

function evaluateStatement(candidate: Candidate, context: Context): Outcome {
  const { condition } = candidate.allow;
  const place = placeOf(candidate);
  if (condition === undefined) return { result: 'true', ...place };
  try {
    const { value } = expectType(evaluate(condition, candidate.scope, context), 'bool');
    return { result: value ? 'true' : 'false', ...place };
  } catch (error) {
    if (error instanceof UndeterminedError) {
      return { result: 'error', ...place, message: error.message, isUndetermined: true };
    }
    // A RangeError: values larger or deeper than JavaScript can hold. Nothing recovers from it within the condition.
    if (error instanceof EvaluationError || error instanceof RangeError) {
      return { result: 'error', ...place, message: error.message };
    }
    throw error;
  }
}

function placeOf({ allow }: Candidate): { line: number; column: number } {
  const { line, column } = allow.condition?.position ?? allow.position;
  return { line, column };
}
