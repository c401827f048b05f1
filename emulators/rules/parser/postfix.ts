import type { Expression } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './expression.ts';
import { node } from './node.ts';
import { parseList } from './operand.ts';

/** Parses the member accesses, calls, indexes and ranges that follow an operand. */
export function parsePostfix(cursor: Cursor, operand: Expression, nesting: number): Expression {
  let object = operand;
  for (;;) {
    if (cursor.accept('.')) object = parseMember(cursor, object, nesting);
    else if (cursor.accept('[')) object = parseIndex(cursor, object, nesting);
    else return object;
  }
}

function parseMember(cursor: Cursor, object: Expression, nesting: number): Expression {
  const { position } = object;
  const { text: name } = cursor.expectKind('word');
  return cursor.accept('(')
    ? node(cursor, position, { kind: 'methodCall', object, name, args: parseList(cursor, ')', nesting) })
    : node(cursor, position, { kind: 'member', object, name });
}

function parseIndex(cursor: Cursor, object: Expression, nesting: number): Expression {
  const { position } = object;
  const from = parseExpression(cursor, nesting + 1);
  const to = cursor.accept(':') ? parseExpression(cursor, nesting + 1) : undefined;
  cursor.expect(']');
  return to === undefined
    ? node(cursor, position, { kind: 'index', object, index: from })
    : node(cursor, position, { kind: 'slice', object, from, to });
}
