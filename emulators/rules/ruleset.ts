/**
 * Security rules: loads a ruleset and evaluates requests.
 *
 *     const loaded = loadRuleset(source);
 *     if ('ruleset' in loaded) {
 *       const { allowed } = await loaded.ruleset.evaluate({
 *         service: 'cloud.firestore',
 *         method: 'get',
 *         path: ['databases', '(default)', 'documents', 'users', 'ada'],
 *         auth: NULL,
 *         time: timestamp(BigInt(Date.now()) * 1_000_000n),
 *         documents: new DocumentAccess(() => Promise.resolve(undefined)),
 *       });
 *     }
 */
import type { SyntaxTree } from './ast.ts';
import { check } from './checker/checker.ts';
import { evaluateRequest } from './evaluator/evaluate-request.ts';
import { SyntaxIssue, type Issue } from './issue.ts';
import { MAX_SOURCE_BYTES } from './limits.ts';
import { parseRuleset } from './parser/statements.ts';
import type { Decision, RulesRequest } from './request.ts';

export interface Ruleset {
  readonly version: '1' | '2';
  /** The syntax tree with the places in the source, for coverage reports. */
  readonly tree: SyntaxTree;
  /** The issues of the source that do not prevent its use. */
  readonly warnings: readonly Issue[];
  /**
   * Evaluates a request. A condition that cannot be evaluated does not allow it. Rejects only when reading a document
   * rejects.
   */
  evaluate(request: RulesRequest): Promise<Decision>;
}

/** Parses and checks a ruleset. Returns it, or all issues if one of them is an error. */
export function loadRuleset(
  source: string,
): { readonly ruleset: Ruleset } | { readonly issues: readonly Issue[] } {
  if (Buffer.byteLength(source) >= MAX_SOURCE_BYTES) {
    return {
      issues: [{ severity: 'error', line: 1, column: 1, message: 'The ruleset is larger than 256 KB.' }],
    };
  }
  const parsed = parse(source);
  if ('issues' in parsed) return parsed;
  const issues = check(parsed.tree);
  if (issues.some(({ severity }) => severity === 'error')) return { issues };
  const { tree } = parsed;
  return {
    ruleset: {
      version: tree.version,
      tree,
      warnings: issues,
      evaluate: (request) => evaluateRequest(tree, request),
    },
  };
}

function parse(source: string): { tree: SyntaxTree } | { issues: readonly Issue[] } {
  try {
    return { tree: parseRuleset(source) };
  } catch (error) {
    if (error instanceof SyntaxIssue) return { issues: [error.issue] };
    throw error;
  }
}
