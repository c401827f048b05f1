import type { Position } from '../ast.ts';
import { SyntaxIssue } from '../issue.ts';
import { readStringLiteral } from './string-literal.ts';

export interface Token {
  readonly kind: 'word' | 'int' | 'float' | 'string' | 'symbol' | 'end';
  /** The source text; of a string its contents. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)/y;
const SYMBOL = /&&|\|\||==|!=|<=|>=|[-+*/%<>!?:;,.=(){}[\]$]/y;

/**
 * Reads tokens from any offset on request, because only the parser knows the meaning of a slash (division, a path, a
 * match pattern).
 */
export class Lexer {
  readonly source: string;
  readonly #lineStarts: number[];

  constructor(source: string) {
    this.source = source;
    this.#lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** The token at or after the offset, past white space and comments. */
  tokenAt(offset: number): Token {
    const start = offset + this.#length(SPACE, offset);
    if (start >= this.source.length) return { kind: 'end', text: '<EOF>', start, end: start };
    const char = this.source.charAt(start);
    if (char === "'" || char === '"') return this.#string(start);
    for (const [kind, pattern] of [
      ['word', WORD],
      ['number', NUMBER],
      ['symbol', SYMBOL],
    ] as const) {
      const length = this.#length(pattern, start);
      if (length > 0) return this.#token(kind, start, start + length);
    }
    throw this.issue(start, `Unexpected '${char}'.`);
  }

  /** The text that a sticky pattern matches at an offset, or undefined. */
  matchAt(pattern: RegExp, offset: number): string | undefined {
    const length = this.#length(pattern, offset);
    return length === 0 ? undefined : this.source.slice(offset, offset + length);
  }

  position(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1, offset };
  }

  issue(offset: number, message: string): SyntaxIssue {
    return new SyntaxIssue(this.position(offset), message);
  }

  #token(kind: 'word' | 'number' | 'symbol', start: number, end: number): Token {
    const text = this.source.slice(start, end);
    const numeric = /^\d+$/.test(text) ? 'int' : 'float';
    return { kind: kind === 'number' ? numeric : kind, text, start, end };
  }

  #string(start: number): Token {
    const literal = readStringLiteral(this.source, start);
    if (literal === undefined) throw this.issue(start, `Unexpected '${this.source.charAt(start)}'.`);
    return { kind: 'string', text: literal.value, start, end: literal.end };
  }

  #length(pattern: RegExp, offset: number): number {
    pattern.lastIndex = offset;
    return pattern.exec(this.source)?.[0].length ?? 0;
  }
}
