import type { Method, SyntaxTree } from '../ast.ts';
import { expectType } from '../builtins/arguments.ts';
import type { FunctionTable } from '../builtins/table.ts';
import { UndeterminedError } from '../errors.ts';
import type { Outcome, RulesRequest } from '../request.ts';
import { unknown } from '../value.ts';
import { Attempt } from './attempt.ts';
import type { Facts } from './attempt.ts';

/**
 * The text of a denial in the form of the official emulator. That emulator evaluates the statements before it reads any
 * document. If this does not decide, it evaluates them again with the documents, and the text has both passes:
 * `\nevaluation error at L7:15 for 'get' @ L7, Null value error. for 'get' @ L7`.
 *
 * @param outcomes of the evaluation with the documents
 */
export function denialText(
  tree: SyntaxTree,
  request: RulesRequest,
  facts: Facts,
  outcomes: readonly Outcome[],
): string {
  const first = request.service === 'cloud.firestore' ? firstPass(tree, request, facts) : undefined;
  const last = textsOf(outcomes, facts.method);
  const texts = first ? [...first.texts, ...(first.isDecided ? [] : last)] : last;
  return texts.length === 0 ? 'No matching allow statements' : `\n${texts.join(', ')}`;
}

interface FirstPass {
  readonly texts: readonly string[];
  /** Whether the statements deny the request without any document. */
  readonly isDecided: boolean;
}

/** Undefined for a query whose rules read no document: its text has one pass only. */
function firstPass(tree: SyntaxTree, request: RulesRequest, facts: Facts): FirstPass | undefined {
  const { query, unread } = request;
  const reads = { count: 0 };
  const functions = unreadable(facts.functions.global, () => {
    reads.count++;
  });
  const known: Facts = {
    ...facts,
    resource: query === undefined ? unknown() : facts.resource,
    newResource: unread?.isMerge === true ? unknown() : facts.newResource,
    functions: { ...facts.functions, global: functions },
  };
  const passes = (unread?.methods ?? [facts.method]).map((method) => {
    const attempt = new Attempt(tree, { ...request, trace: undefined }, { ...known, method });
    attempt.evaluate();
    return { method, outcomes: attempt.outcomes };
  });
  if (query !== undefined && reads.count === 0) return undefined;
  return {
    texts: passes.flatMap(({ method, outcomes }) => textsOf(outcomes, method, true)),
    isDecided: passes.every(({ outcomes }) => outcomes.every(({ result }) => result === 'false')),
  };
}

/** The functions of documents, each of which fails because no document is read. */
function unreadable(functions: FunctionTable, onRead: () => void): FunctionTable {
  const fail: FunctionTable[string] = (path) => {
    expectType(path, 'path');
    onRead();
    throw new UndeterminedError('The document is not read yet.');
  };
  return Object.fromEntries(Object.keys(functions).map((name) => [name, fail]));
}

/** Each text of a pass once. */
function textsOf(outcomes: readonly Outcome[], method: Method, isFirst = false): string[] {
  const texts = outcomes
    .filter(({ result }) => result !== 'true')
    .map((outcome) => `${reasonOf(outcome, isFirst)} for '${method}' @ L${outcome.line}`);
  return [...new Set(texts)];
}

function reasonOf({ result, line, column, message = '', isUndetermined }: Outcome, isFirst: boolean): string {
  if (result === 'false') return 'false';
  return isFirst && isUndetermined === true ? `evaluation error at L${line}:${column}` : message;
}
