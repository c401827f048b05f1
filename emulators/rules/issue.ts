import type { Position } from './ast.ts';

/** A finding in a ruleset's source. An `error` refuses the ruleset. */
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

/** Thrown by the lexer and the parser at the first thing they cannot read. */
export class SyntaxIssue extends Error {
  override readonly name = 'SyntaxIssue';
  readonly issue: Issue;

  constructor(position: Position, message: string) {
    super(message);
    this.issue = issueAt(position, message);
  }
}
