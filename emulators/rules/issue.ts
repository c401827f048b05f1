import type { Position } from './ast.ts';

/** A finding in a ruleset's source. A ruleset with an `error` is refused. */
export interface Issue {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export const issueAt = (
  { line, column }: Pick<Position, 'line' | 'column'>,
  message: string,
  severity: Issue['severity'] = 'error',
): Issue => ({ severity, line, column, message });

/** Thrown by the lexer and the parser at the first syntax error. */
export class SyntaxIssue extends Error {
  override readonly name = 'SyntaxIssue';
  readonly issue: Issue;

  constructor(position: Position, message: string) {
    super(message);
    this.issue = issueAt(position, message);
  }
}
