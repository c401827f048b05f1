import type { Method, SyntaxTree } from './ast.ts';
import { expectType } from './builtins/arguments.ts';
import { MissingDocument, type DocumentAccess } from './documents.ts';
import { EvaluationError, LimitError } from './errors.ts';
import { Budget } from './evaluator/budget.ts';
import { firestoreFunctions, storageFunctions } from './evaluator/calls.ts';
import { evaluate, type Context } from './evaluator/evaluator.ts';
import { captureMany, findCandidates, type Candidate, type PathSegment } from './evaluator/match.ts';
import { Scope } from './evaluator/scope.ts';
import { branchesOf } from './queries/branches.ts';
import { potentialDocument } from './queries/potential-document.ts';
import { requestQuery } from './queries/request-query.ts';
import type { Decision, Outcome, RulesRequest, Trace } from './request.ts';
import { map, NULL, string, type Value } from './value.ts';

const WRITES: readonly Method[] = ['create', 'update', 'delete'];

/** The methods that `allow read` and `allow write` include. */
const COVERED: Readonly<Record<Method, readonly Method[]>> = {
  read: ['get', 'list'],
  write: WRITES,
  get: ['get'],
  list: ['list'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
};

/**
 * The subject of an evaluation: a document, or the document that represents all that a branch of a query could
 * return.
 */
interface Subject {
  readonly path: readonly PathSegment[];
  readonly resource: Value;
}

/** Evaluates a request; see `Ruleset.evaluate`. */
export async function evaluateRequest(tree: SyntaxTree, request: RulesRequest): Promise<Decision> {
  let last: Decision = { allowed: true, message: '', outcomes: [] };
  for (const subject of subjectsOf(request)) {
    last = await evaluateSubject(tree, request, subject);
    if (!last.allowed) return last;
  }
  return last;
}

function subjectsOf({ query, path = [], resource = NULL }: RulesRequest): Subject[] {
  if (query === undefined) return [{ path, resource }];
  return branchesOf(query.where).map((branch) => potentialDocument(query, branch));
}

/** Repeats the evaluation with each document that it turns out to need. */
async function evaluateSubject(tree: SyntaxTree, request: RulesRequest, subject: Subject): Promise<Decision> {
  const readsBefore = request.documents.reads;
  for (;;) {
    const attempt = new Attempt(tree, request, subject);
    try {
      return attempt.evaluate();
    } catch (error) {
      if (!(error instanceof MissingDocument)) throw error;
      try {
        await request.documents.load(error, request.documents.reads - readsBefore);
      } catch (limit) {
        if (!(limit instanceof LimitError)) throw limit;
        return attempt.stoppedBy(limit);
      }
    }
  }
}

class Attempt {
  readonly #tree: SyntaxTree;
  readonly #request: RulesRequest;
  readonly #subject: Subject;
  readonly #outcomes: Outcome[] = [];
  /** Kept until the end, because an attempt that misses a document is repeated. */
  readonly #traced: Parameters<Trace>[] = [];
  readonly #context: Context;
  #current: Candidate | undefined;

  constructor(tree: SyntaxTree, request: RulesRequest, subject: Subject) {
    this.#tree = tree;
    this.#request = request;
    this.#subject = subject;
    const traced = this.#traced;
    this.#context = {
      budget: new Budget(),
      documents: functionsFor(request, request.documents),
      trace: request.trace && ((...step) => traced.push(step)),
    };
  }

  evaluate(): Decision {
    try {
      for (const candidate of this.#candidates()) {
        this.#current = candidate;
        const outcome = evaluateStatement(candidate, this.#context);
        this.#outcomes.push(outcome);
        if (outcome.result === 'true') return this.#decision(true);
      }
    } catch (error) {
      if (error instanceof LimitError) return this.stoppedBy(error);
      throw error;
    }
    return this.#decision(false);
  }

  /** A limit ends the whole request, even if another statement would allow it. */
  stoppedBy(limit: LimitError): Decision {
    const position = this.#current === undefined ? { line: 1, column: 1 } : placeOf(this.#current);
    this.#outcomes.push({ result: 'error', ...position, message: limit.message });
    return this.#decision(false);
  }

  #decision(allowed: boolean): Decision {
    const { trace, method } = this.#request;
    for (const step of this.#traced) trace?.(...step);
    return {
      allowed,
      message: allowed ? '' : explain(this.#outcomes, method),
      outcomes: this.#outcomes,
    };
  }

  #candidates(): Candidate[] {
    const { service: name, method } = this.#request;
    const wanted = COVERED[method];
    const globals = new Scope(undefined, this.#variables(), this.#tree.functions);
    return this.#tree.services
      .filter((service) => service.name === name)
      .flatMap((service) => findCandidates(service, this.#tree.version, this.#subject.path, globals))
      .filter(({ allow }) => {
        const allowed = allow.methods.flatMap((granted) => COVERED[granted]);
        return wanted.every((needed) => allowed.includes(needed));
      });
  }

  #variables(): Map<string, Value> {
    const { auth, method, time, query, newResource } = this.#request;
    const request: [string, Value][] = [
      ['auth', auth],
      ['method', string(method)],
      ['path', captureMany(this.#subject.path)],
      ['time', time],
    ];
    if (query !== undefined) request.push(['query', requestQuery(query)]);
    if (newResource !== undefined) request.push(['resource', newResource]);
    return new Map([
      ['request', map(request)],
      ['resource', this.#subject.resource],
    ]);
  }
}

function functionsFor({ service, method }: RulesRequest, documents: DocumentAccess): Context['documents'] {
  return service === 'cloud.firestore'
    ? firestoreFunctions(documents, WRITES.includes(method) || method === 'write')
    : storageFunctions(documents);
}

function evaluateStatement(candidate: Candidate, context: Context): Outcome {
  const { condition } = candidate.allow;
  const place = placeOf(candidate);
  if (condition === undefined) return { result: 'true', ...place };
  try {
    const { value } = expectType(evaluate(condition, candidate.scope, context), 'bool');
    return { result: value ? 'true' : 'false', ...place };
  } catch (error) {
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

/** In the words of the official emulator: `\nfalse for 'create' @ L7, Null value error. for 'create' @ L9`. */
function explain(outcomes: readonly Outcome[], method: Method): string {
  if (outcomes.length === 0) return 'No matching allow statements';
  const reasons = outcomes.map(
    ({ result, line, message }) =>
      `${result === 'error' ? (message ?? '') : 'false'} for '${method}' @ L${line}`,
  );
  return `\n${[...new Set(reasons)].join(', ')}`;
}
