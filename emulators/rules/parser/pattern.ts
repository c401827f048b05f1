import type { PatternSegment } from '../ast.ts';
import type { Cursor } from './cursor.ts';

const CAPTURE = /\{\s*([A-Za-z_]\w*)\s*(?:=\s*(\*\*?)\s*)?\}/y;
const LITERAL = /(?:\([\w-]+\)|[\w\-.~%@+]+)/y;

/** Parses the path after `match`: `/users/{uid}`, `/{document=**}`. */
export function parsePattern(cursor: Cursor): PatternSegment[] {
  if (!cursor.at('/')) throw cursor.unexpected();
  const segments: PatternSegment[] = [];
  let offset = cursor.token.start;
  while (cursor.textAt(/\//y, offset) !== undefined) {
    const text = cursor.textAt(CAPTURE, offset + 1) ?? cursor.textAt(LITERAL, offset + 1);
    if (text === undefined) throw patternIssue(cursor, offset + 1);
    segments.push(segmentOf(text));
    offset += 1 + text.length;
  }
  cursor.seek(offset);
  return segments;
}

function segmentOf(text: string): PatternSegment {
  CAPTURE.lastIndex = 0;
  const capture = CAPTURE.exec(text);
  if (capture === null) return { kind: 'literal', text };
  const [, name = '', glob] = capture;
  return { kind: glob === '**' ? 'recursive' : 'single', name };
}

function patternIssue(cursor: Cursor, offset: number): Error {
  cursor.seek(offset);
  return cursor.issue(`mismatched input '${cursor.token.text}' expecting {'{', '/', PATH_SEGMENT}`);
}
