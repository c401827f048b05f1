import type { Expression } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { node, type ParseInner } from './node.ts';

/** One literal segment; `(default)` is the name of a database. */
const SEGMENT = /(?:\([\w-]+\)|[\w\-.~%@+]+)/y;

/** Parses `/users/$(uid)/posts`. A path ends at white space and at a character that no segment has. */
export function parsePathLiteral(cursor: Cursor, parseInner: ParseInner): Expression {
  const position = cursor.position();
  const segments: (string | Expression)[] = [];
  let offset = cursor.token.start;
  while (cursor.textAt(/\//y, offset) !== undefined) {
    offset += 1;
    if (cursor.textAt(/\$\(/y, offset) === undefined) {
      const text = cursor.textAt(SEGMENT, offset);
      if (text === undefined) {
        throw cursor.issue("Forward slash '/' found where identifier or binding expected.", offset - 1);
      }
      segments.push(text);
      offset += text.length;
    } else {
      cursor.seek(offset + 2);
      segments.push(parseInner());
      const { end } = closing(cursor);
      offset = end;
    }
  }
  cursor.seek(offset);
  return node(cursor, position, { kind: 'path', segments });
}

/** The parenthesis that ends `$(…)`, without reading what follows it as a token. */
function closing(cursor: Cursor): { end: number } {
  if (!cursor.at(')')) throw cursor.unexpected();
  return cursor.token;
}
