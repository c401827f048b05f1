import type { Value } from './value.ts';

/** Where something starts in the source: line and column count from 1, the offset in UTF-16 units from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export type BinaryOperator =
  '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

interface Node {
  readonly position: Position;
  /** The offset behind its last character, parentheses around it not counted. */
  readonly end: number;
  /** Length of the longest chain of nodes below it, itself included; bounds every recursion over the tree. */
  readonly height: number;
  /** Parentheses written around it; each counts as a level of nesting. */
  readonly parentheses: number;
}

export type Expression = Node &
  (
    | { readonly kind: 'literal'; readonly value: Value }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
    | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
    | {
        readonly kind: 'slice';
        readonly object: Expression;
        readonly from: Expression;
        readonly to: Expression;
      }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
    | {
        readonly kind: 'methodCall';
        readonly object: Expression;
        readonly name: string;
        readonly args: readonly Expression[];
      }
    | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | { readonly kind: 'is'; readonly operand: Expression; readonly typeName: string }
    | {
        readonly kind: 'conditional';
        readonly condition: Expression;
        readonly then: Expression;
        readonly otherwise: Expression;
      }
    | { readonly kind: 'list'; readonly items: readonly Expression[] }
    | { readonly kind: 'map'; readonly entries: readonly (readonly [Expression, Expression])[] }
    | { readonly kind: 'path'; readonly segments: readonly (string | Expression)[] }
  );

/** `let name = value;` */
export interface LetBinding {
  readonly name: string;
  readonly value: Expression;
  readonly position: Position;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly bindings: readonly LetBinding[];
  readonly result: Expression;
  readonly position: Position;
}

export const METHODS = ['read', 'write', 'get', 'list', 'create', 'update', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** `allow methods: if condition;` Without a condition it always grants. */
export interface AllowStatement {
  readonly methods: readonly Method[];
  readonly condition: Expression | undefined;
  readonly position: Position;
}

export type PatternSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'single'; readonly name: string }
  | { readonly kind: 'recursive'; readonly name: string };

export interface MatchStatement {
  readonly pattern: readonly PatternSegment[];
  readonly allows: readonly AllowStatement[];
  readonly matches: readonly MatchStatement[];
  readonly functions: readonly FunctionDeclaration[];
  readonly position: Position;
}

export interface ServiceBlock {
  readonly name: string;
  readonly matches: readonly MatchStatement[];
  readonly functions: readonly FunctionDeclaration[];
  readonly position: Position;
}

export interface SyntaxTree {
  readonly version: '1' | '2';
  readonly services: readonly ServiceBlock[];
  readonly functions: readonly FunctionDeclaration[];
}

/** The expressions directly below one, in source order. */
export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'variable':
      return [];
    case 'member':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'slice':
      return [expression.object, expression.from, expression.to];
    case 'call':
      return expression.args;
    case 'methodCall':
      return [expression.object, ...expression.args];
    case 'unary':
    case 'is':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise];
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.flat();
    case 'path':
      return expression.segments.filter((segment) => typeof segment !== 'string');
  }
}
