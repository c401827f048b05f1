import { children, type Expression } from '../ast.ts';
import { regexProblem } from '../builtins/regex.ts';
import { TYPE_NAMES } from '../evaluator/types.ts';
import { issueAt, type Issue } from '../issue.ts';
import { MAX_NESTING } from '../limits.ts';
import { TOO_COMPLEX } from '../parser/node.ts';

const REGEX_METHODS: ReadonlySet<string> = new Set(['matches', 'replace', 'split']);

/** Errors that an expression has with any values: unknown types, patterns that RE2 refuses, too deep nesting. */
export function checkExpression(root: Expression): Issue[] {
  return [...nestingIssues(root, 1), ...contentIssues(root)];
}

function contentIssues(expression: Expression): Issue[] {
  return [...ownIssues(expression), ...children(expression).flatMap(contentIssues)];
}

function ownIssues(expression: Expression): Issue[] {
  if (expression.kind === 'is' && !TYPE_NAMES.has(expression.typeName)) {
    return [issueAt(expression.position, `Invalid type name: ${expression.typeName}.`)];
  }
  if (expression.kind !== 'methodCall' || !REGEX_METHODS.has(expression.name)) return [];
  const [pattern] = expression.args;
  if (pattern?.kind !== 'literal' || pattern.value.type !== 'string') return [];
  return regexProblem(pattern.value.value) === undefined
    ? []
    : [issueAt(pattern.position, `Invalid regular expression pattern. Pattern: ${pattern.value.value}.`)];
}

/** Reports the outermost expressions that are nested deeper than the language allows. */
function nestingIssues(expression: Expression, level: number): Issue[] {
  const at = level + expression.parentheses;
  if (at > MAX_NESTING) return [issueAt(expression.position, TOO_COMPLEX)];
  const inner = at + (addsLevel(expression) ? 1 : 0);
  return children(expression).flatMap((child) => nestingIssues(child, inner));
}

function addsLevel({ kind }: Expression): boolean {
  return kind === 'binary' || kind === 'is' || kind === 'list' || kind === 'map' || kind === 'call';
}
