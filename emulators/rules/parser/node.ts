import { children, type Expression, type Position } from '../ast.ts';
import { SyntaxIssue } from '../issue.ts';
import type { Cursor } from './cursor.ts';

/** Far above the nesting limit of the language, and far below the depth at which recursion overflows the stack. */
const MAX_HEIGHT = 500;

export const TOO_COMPLEX = 'Expression is too complex to evaluate safely.';

type Derived = 'position' | 'end' | 'height' | 'parentheses';
type WithoutDerived<T> = T extends unknown ? Omit<T, Derived> : never;

/**
 * Completes an expression that ends with the token taken last; throws a SyntaxIssue when the tree below it is too high
 * to be walked.
 */
export function node(cursor: Cursor, position: Position, fields: WithoutDerived<Expression>): Expression {
  const expression = { ...fields, position, end: cursor.lastEnd, height: 1, parentheses: 0 } as Expression;
  const height = children(expression).reduce((highest, child) => Math.max(highest, child.height + 1), 1);
  if (height > MAX_HEIGHT) throw new SyntaxIssue(position, TOO_COMPLEX);
  return { ...expression, height };
}

/** Parses an expression inside of the one that is being parsed. */
export type ParseInner = () => Expression;
