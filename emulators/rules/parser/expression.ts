import type { BinaryOperator, Expression } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { node, TOO_COMPLEX, type ParseInner } from './node.ts';
import { parseOperand } from './operand.ts';
import { parsePostfix } from './postfix.ts';

/** Binding strength of the binary operators, including `is`, as in the table of the language reference. */
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [['||'], ['&&'], ['==', '!='], ['is'], ['in'], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']].flatMap(
    (operators, index) => operators.map((operator) => [operator, index + 1] as const),
  ),
);

/** Deeper nesting is refused by the checker; this one keeps the parser itself from running out of stack. */
const MAX_NESTING = 150;

/** Parses an expression; throws a SyntaxIssue. `nesting` counts the expressions around it. */
export function parseExpression(cursor: Cursor, nesting = 0): Expression {
  if (nesting > MAX_NESTING) throw cursor.issue(TOO_COMPLEX);
  const parseInner = () => parseExpression(cursor, nesting + 1);
  const position = cursor.position();
  const condition = parseBinary(cursor, 1, parseInner);
  if (!cursor.accept('?')) return condition;
  const then = parseInner();
  cursor.expect(':');
  const otherwise = parseInner();
  return node(cursor, position, { kind: 'conditional', condition, then, otherwise });
}

function parseBinary(cursor: Cursor, minimum: number, parseInner: ParseInner): Expression {
  const position = cursor.position();
  let left = parseUnary(cursor, parseInner);
  for (;;) {
    const strength = operatorStrength(cursor);
    if (strength < minimum) return left;
    const operator = cursor.take();
    left =
      operator.text === 'is'
        ? node(cursor, position, { kind: 'is', operand: left, typeName: cursor.expectKind('word').text })
        : node(cursor, position, {
            kind: 'binary',
            operator: operator.text as BinaryOperator,
            left,
            right: parseBinary(cursor, strength + 1, parseInner),
          });
  }
}

/** 0 when the lookahead is no binary operator. */
function operatorStrength(cursor: Cursor): number {
  const { token } = cursor;
  if (token.kind !== 'word' && token.kind !== 'symbol') return 0;
  if (token.text === '/' && cursor.textAt(/\s/y, token.end) === undefined) {
    // The official compiler divides only where white space follows the slash.
    throw cursor.issue("Missing 'match' keyword before path.");
  }
  return PRECEDENCE.get(token.text) ?? 0;
}

function parseUnary(cursor: Cursor, parseInner: ParseInner): Expression {
  const operators: Token[] = [];
  while (cursor.at('!') || cursor.at('-')) operators.push(cursor.take());
  const sign = cursor.token.kind === 'int' ? operators.at(-1) : undefined;
  const negative = sign?.text === '-';
  const operand = parsePostfix(cursor, parseOperand(cursor, parseInner, negative), parseInner);
  const pending = negative ? operators.slice(0, -1) : operators;
  return pending.reduceRight<Expression>(
    (inner, token) =>
      node(cursor, cursor.position(token), {
        kind: 'unary',
        operator: token.text === '!' ? '!' : '-',
        operand: inner,
      }),
    operand,
  );
}
