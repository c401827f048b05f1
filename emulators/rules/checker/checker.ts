import type { SyntaxTree } from '../ast.ts';
import { issueAt, type Issue } from '../issue.ts';
import { checkExpression } from './expressions.ts';
import { checkCalls, checkDeclarations } from './functions.ts';
import { checkNames } from './names.ts';
import { checkPatterns } from './patterns.ts';
import { collectScopes } from './scopes.ts';

/** Everything that can be said of a ruleset before a request comes, in the order of the source. */
export function check(tree: SyntaxTree): Issue[] {
  const scopes = collectScopes(tree);
  const expressions = [
    ...scopes.allows.flatMap(({ allow }) => (allow.condition === undefined ? [] : [allow.condition])),
    ...scopes.functions.flatMap(({ declaration: { bindings, result } }) => [
      ...bindings.map(({ value }) => value),
      result,
    ]),
  ];
  return [
    ...versionIssues(tree),
    ...checkPatterns(tree),
    ...checkDeclarations(tree),
    ...checkCalls(scopes),
    ...expressions.flatMap(checkExpression),
    ...checkNames(scopes),
  ].sort((a, b) => a.line - b.line || a.column - b.column);
}

function versionIssues({ version }: SyntaxTree): Issue[] {
  const message =
    'Ruleset uses old version (version [1]). Please update to the latest version (version [2]).';
  return version === '1' ? [issueAt({ line: 1, column: 1 }, message, 'warning')] : [];
}
