import type { Position } from '../ast.ts';
import type { SyntaxIssue } from '../issue.ts';
import { Lexer, type Token } from './lexer.ts';

/** The parser's place in the source, with one token of lookahead. */
export class Cursor {
  readonly #lexer: Lexer;
  #token: Token;
  #lastEnd = 0;

  constructor(source: string) {
    this.#lexer = new Lexer(source);
    this.#token = this.#lexer.tokenAt(0);
  }

  get token(): Token {
    return this.#token;
  }

  /** The offset behind the token that was taken last. */
  get lastEnd(): number {
    return this.#lastEnd;
  }

  /** Whether the lookahead is this word or symbol. */
  at(text: string): boolean {
    const { kind } = this.#token;
    return (kind === 'word' || kind === 'symbol') && this.#token.text === text;
  }

  take(): Token {
    const token = this.#token;
    this.#lastEnd = token.end;
    this.#token = this.#lexer.tokenAt(token.end);
    return token;
  }

  /** Takes the lookahead if it is this word or symbol. */
  accept(text: string): boolean {
    const found = this.at(text);
    if (found) this.take();
    return found;
  }

  expect(text: string): Token {
    if (!this.at(text)) throw this.unexpected();
    return this.take();
  }

  expectKind(kind: Token['kind']): Token {
    if (this.#token.kind !== kind) throw this.unexpected();
    return this.take();
  }

  /** Goes on reading at an offset of the source. */
  seek(offset: number): void {
    this.#lastEnd = offset;
    this.#token = this.#lexer.tokenAt(offset);
  }

  /** The text that a sticky pattern matches at an offset, independent of tokens. */
  textAt(pattern: RegExp, offset: number): string | undefined {
    return this.#lexer.matchAt(pattern, offset);
  }

  position(token: Token = this.#token): Position {
    return this.#lexer.position(token.start);
  }

  unexpected(token: Token = this.#token): SyntaxIssue {
    return this.issue(`Unexpected '${token.text}'.`, token.start);
  }

  issue(message: string, offset: number = this.#token.start): SyntaxIssue {
    return this.#lexer.issue(offset, message);
  }
}
