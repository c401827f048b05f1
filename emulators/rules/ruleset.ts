/**
 * Security rules: loads a ruleset and judges requests by it.
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
import { evaluateRequest } from './evaluate-request.ts';
import { SyntaxIssue, type Issue } from './issue.ts';
import { MAX_SOURCE_BYTES } from './limits.ts';
import { parseRuleset } from './parser/statements.ts';
import type { Decision, RulesRequest } from './request.ts';

export interface Ruleset {
  readonly version: '1' | '2';
  /** What was parsed, with the places in the source; for coverage reports. */
  readonly tree: SyntaxTree;
  /** What is odd in the source, though it loads. */
  readonly warnings: readonly Issue[];
  /**
   * Judges a request. Never rejects because of what the rules say: a condition that cannot be evaluated does not grant.
   * Rejects only when reading a document does.
   */
  evaluate(request: RulesRequest): Promise<Decision>;
}

/** Parses and checks a ruleset: gives it, or every issue when one of them is an error. */
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
