import type { Expression } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { node, type ParseInner } from './node.ts';
import { parseList } from './operand.ts';

/** Parses the member accesses, calls, indexes and ranges that follow an operand. */
export function parsePostfix(cursor: Cursor, operand: Expression, parseInner: ParseInner): Expression {
  let object = operand;
  for (;;) {
    if (cursor.accept('.')) object = parseMember(cursor, object, parseInner);
    else if (cursor.accept('[')) object = parseIndex(cursor, object, parseInner);
    else return object;
  }
}

function parseMember(cursor: Cursor, object: Expression, parseInner: ParseInner): Expression {
  const { position } = object;
  const { text: name } = cursor.expectKind('word');
  return cursor.accept('(')
    ? node(cursor, position, { kind: 'methodCall', object, name, args: parseList(cursor, ')', parseInner) })
    : node(cursor, position, { kind: 'member', object, name });
}

function parseIndex(cursor: Cursor, object: Expression, parseInner: ParseInner): Expression {
  const { position } = object;
  const from = parseInner();
  const to = cursor.accept(':') ? parseInner() : undefined;
  cursor.expect(']');
  return to === undefined
    ? node(cursor, position, { kind: 'index', object, index: from })
    : node(cursor, position, { kind: 'slice', object, from, to });
}
