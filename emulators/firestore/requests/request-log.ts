import { randomUUID } from 'node:crypto';
import { requestQuery } from '@hearth/security-rules/queries/request-query';
import type { Decision, Outcome, RulesRequest } from '@hearth/security-rules/request';
import { map, path as pathValue, string } from '@hearth/security-rules/value';
import type { Value } from '@hearth/security-rules/value';
import { expressionValue, timestampText } from './expression-value.ts';

/** A request of an end user that rules have evaluated. */
export interface EvaluatedRequest {
  /** `projects/P/databases/D` */
  readonly database: string;
  /** The source of the rules. */
  readonly rules: string;
  readonly request: RulesRequest;
  readonly decision: Decision;
}

const MAX_REQUESTS = 1_000;

/** The latest requests that rules have evaluated, for the Requests tab of the Emulator UI. */
export class RequestLog {
  readonly #messages: object[] = [];
  readonly #listeners = new Set<(message: object) => void>();

  record(evaluated: EvaluatedRequest): void {
    const message = messageOf(evaluated);
    this.#messages.push(message);
    if (this.#messages.length > MAX_REQUESTS) this.#messages.shift();
    for (const listener of this.#listeners) listener(message);
  }

  /** Passes the requests so far to `start`, and each later one to `next`. The returned function ends that. */
  follow(start: (messages: readonly object[]) => void, next: (message: object) => void): () => void {
    start(this.#messages);
    this.#listeners.add(next);
    return () => {
      this.#listeners.delete(next);
    };
  }
}

/** In the form of `FirestoreRulesEvaluation` in the sources of the Emulator UI. */
function messageOf({ database, rules, request, decision }: EvaluatedRequest): object {
  const time = timestampText(request.time.nanos);
  const [, project = '', , id = ''] = database.split('/');
  return {
    outcome: outcomeOf(decision),
    rulesContext: {
      request: expressionValue(variableOf(request)),
      ...(request.resource && { resource: expressionValue(request.resource) }),
      path: `/${segmentsOf(request).join('/')}`,
      method: request.method,
      time,
    },
    requestId: randomUUID(),
    granularAllowOutcomes: decision.outcomes.map(({ line, result }) => ({ line, outcome: NAMES[result] })),
    rules,
    rulesReleaseName: `projects/${project}/releases/cloud.firestore/${id}`,
    time,
  };
}

const NAMES: Readonly<Record<Outcome['result'], string>> = { true: 'allow', false: 'deny', error: 'error' };

function outcomeOf({ allowed, outcomes }: Decision): string {
  if (allowed) return 'allow';
  return outcomes.some(({ result }) => result === 'error') ? 'error' : 'deny';
}

/** The variable `request` of the rules. */
function variableOf(request: RulesRequest): Value {
  const { auth, method, time, query, newResource } = request;
  return map({
    auth,
    method: string(method),
    path: pathValue(segmentsOf(request)),
    time,
    ...(query && { query: requestQuery(query) }),
    ...(newResource && { resource: newResource }),
  });
}

/** A query reads a collection below its parent. */
const segmentsOf = ({ path = [], query }: RulesRequest): readonly string[] =>
  query ? [...query.parent, query.collectionId ?? '**'] : path;
