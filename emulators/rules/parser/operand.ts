import type { Expression } from '../ast.ts';
import { bool, float, int, NULL, string, type Value } from '../value.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { node, type ParseInner } from './node.ts';
import { parsePathLiteral } from './path-literal.ts';

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', bool(true)],
  ['false', bool(false)],
  ['null', NULL],
]);

/** Words that cannot be a variable's or function's name. */
const RESERVED = new Set(['in', 'is', 'match', 'allow', 'function', 'let', 'return', 'service']);

/** Parses operands: literals, variables, calls and groups. */
export function parseOperand(cursor: Cursor, parseInner: ParseInner, negative: boolean): Expression {
  const { token } = cursor;
  const position = cursor.position();
  switch (token.kind) {
    case 'int':
    case 'float':
      assertNoMember(cursor, token);
      return node(cursor, position, {
        kind: 'literal',
        value: literalValue(cursor, cursor.take(), negative),
      });
    case 'string':
      return node(cursor, position, {
        kind: 'literal',
        value: literalValue(cursor, cursor.take(), negative),
      });
    case 'word':
      return parseWord(cursor, parseInner);
    case 'symbol':
      return parseEnclosed(cursor, parseInner);
    case 'end':
      throw cursor.unexpected();
  }
}

/** Expressions separated by commas up to the closing symbol, which it takes. */
export function parseList(cursor: Cursor, close: string, parseInner: ParseInner): Expression[] {
  const items: Expression[] = [];
  while (!cursor.at(close)) {
    items.push(parseInner());
    if (!cursor.accept(',')) break;
  }
  cursor.expect(close);
  return items;
}

/** A point behind a number belongs to the number: `1.upper()` does not parse, `(1).upper()` does. */
function assertNoMember(cursor: Cursor, { end }: Token): void {
  if (cursor.textAt(/\./y, end) !== undefined) throw cursor.issue("Unexpected '.'.", end);
}

function literalValue(cursor: Cursor, token: Token, negative: boolean): Value {
  if (token.kind === 'string') return string(token.text);
  if (token.kind === 'float') return float(Number(token.text));
  const value = negative ? -BigInt(token.text) : BigInt(token.text);
  if (BigInt.asIntN(64, value) !== value) throw cursor.issue('Integer out of range.', token.start);
  return int(value);
}

function parseWord(cursor: Cursor, parseInner: ParseInner): Expression {
  const position = cursor.position();
  if (RESERVED.has(cursor.token.text)) throw cursor.unexpected();
  const { text: name } = cursor.take();
  const constant = CONSTANTS.get(name);
  if (constant !== undefined) return node(cursor, position, { kind: 'literal', value: constant });
  return cursor.accept('(')
    ? node(cursor, position, { kind: 'call', name, args: parseList(cursor, ')', parseInner) })
    : node(cursor, position, { kind: 'variable', name });
}

function parseEnclosed(cursor: Cursor, parseInner: ParseInner): Expression {
  const position = cursor.position();
  if (cursor.at('/')) return parsePathLiteral(cursor, parseInner);
  if (cursor.accept('['))
    return node(cursor, position, { kind: 'list', items: parseList(cursor, ']', parseInner) });
  if (cursor.accept('{'))
    return node(cursor, position, { kind: 'map', entries: parseEntries(cursor, parseInner) });
  cursor.expect('(');
  const inner = parseInner();
  cursor.expect(')');
  return { ...inner, parentheses: inner.parentheses + 1 };
}

function parseEntries(cursor: Cursor, parseInner: ParseInner): [Expression, Expression][] {
  const entries: [Expression, Expression][] = [];
  while (!cursor.at('}')) {
    const key = parseInner();
    cursor.expect(':');
    entries.push([key, parseInner()]);
    if (!cursor.accept(',')) break;
  }
  cursor.expect('}');
  return entries;
}
