import {
  METHODS,
  type AllowStatement,
  type FunctionDeclaration,
  type LetBinding,
  type MatchStatement,
  type Method,
  type ServiceBlock,
  type SyntaxTree,
} from '../ast.ts';
import { Cursor } from './cursor.ts';
import { parseExpression } from './expression.ts';
import { parsePattern } from './pattern.ts';

/** More nested `match` statements than the checker allows. Keeps the recursion bounded. */
const MAX_MATCH_DEPTH = 100;

/** Parses a whole ruleset; throws a SyntaxIssue at the first thing that is not of the language. */
export function parseRuleset(source: string): SyntaxTree {
  const cursor = new Cursor(source);
  const version = parseVersion(cursor);
  const services: ServiceBlock[] = [];
  const functions: FunctionDeclaration[] = [];
  while (cursor.token.kind !== 'end') {
    if (cursor.at('service')) services.push(parseService(cursor));
    else if (cursor.at('function')) functions.push(parseFunction(cursor));
    else {
      const { text } = cursor.token;
      throw cursor.issue(
        `mismatched input '${text}' expecting {'function', 'import', 'service', 'rules_version'}`,
      );
    }
  }
  return { version, services, functions };
}

function parseVersion(cursor: Cursor): '1' | '2' {
  if (!cursor.accept('rules_version')) return '1';
  cursor.expect('=');
  const token = cursor.expectKind('string');
  cursor.accept(';');
  if (token.text !== '1' && token.text !== '2') {
    throw cursor.issue(`Invalid rules version: ${token.text}.`, token.start);
  }
  return token.text;
}

function parseService(cursor: Cursor): ServiceBlock {
  const position = cursor.position();
  cursor.expect('service');
  let name = cursor.expectKind('word').text;
  while (cursor.accept('.')) name += `.${cursor.expectKind('word').text}`;
  cursor.expect('{');
  const { matches, functions } = parseBody(cursor, 1, () => {
    throw cursor.unexpected();
  });
  return { name, matches, functions, position };
}

function parseMatch(cursor: Cursor, depth: number): MatchStatement {
  const position = cursor.position();
  if (depth > MAX_MATCH_DEPTH) throw cursor.issue('Match statements are nested too deeply.');
  cursor.expect('match');
  const pattern = parsePattern(cursor);
  cursor.expect('{');
  const allows: AllowStatement[] = [];
  const { matches, functions } = parseBody(cursor, depth + 1, () => {
    allows.push(parseAllow(cursor));
  });
  return { pattern, allows, matches, functions, position };
}

/** Parses statements up to the closing brace. `other` parses those that are neither `match` nor `function`. */
function parseBody(
  cursor: Cursor,
  depth: number,
  other: () => void,
): { matches: MatchStatement[]; functions: FunctionDeclaration[] } {
  const matches: MatchStatement[] = [];
  const functions: FunctionDeclaration[] = [];
  while (!cursor.accept('}')) {
    if (cursor.at('match')) matches.push(parseMatch(cursor, depth));
    else if (cursor.at('function')) functions.push(parseFunction(cursor));
    else if (cursor.at('/')) throw cursor.issue("Missing 'match' keyword before path.");
    else other();
  }
  return { matches, functions };
}

function parseAllow(cursor: Cursor): AllowStatement {
  const position = cursor.position();
  cursor.expect('allow');
  const methods: Method[] = [];
  do {
    const token = cursor.expectKind('word');
    const method = METHODS.find((name) => name === token.text);
    if (method === undefined) throw cursor.unexpected(token);
    methods.push(method);
  } while (cursor.accept(','));
  const condition = cursor.accept(':') ? parseCondition(cursor) : undefined;
  cursor.accept(';');
  return { methods, condition, position };
}

function parseCondition(cursor: Cursor): AllowStatement['condition'] {
  const { start } = cursor.expect('if');
  if (cursor.at(';') || cursor.at('}')) {
    throw cursor.issue("Missing conditional expression after 'if'.", start);
  }
  return parseExpression(cursor);
}

function parseFunction(cursor: Cursor): FunctionDeclaration {
  const position = cursor.position();
  cursor.expect('function');
  const { text: name } = cursor.expectKind('word');
  cursor.expect('(');
  const parameters: string[] = [];
  while (!cursor.at(')')) {
    parameters.push(cursor.expectKind('word').text);
    if (!cursor.accept(',')) break;
  }
  cursor.expect(')');
  cursor.expect('{');
  const bindings: LetBinding[] = [];
  while (cursor.at('let')) bindings.push(parseBinding(cursor));
  cursor.expect('return');
  const result = parseExpression(cursor);
  cursor.accept(';');
  cursor.expect('}');
  return { name, parameters, bindings, result, position };
}

function parseBinding(cursor: Cursor): LetBinding {
  const position = cursor.position();
  cursor.expect('let');
  const { text: name } = cursor.expectKind('word');
  cursor.expect('=');
  const value = parseExpression(cursor);
  cursor.accept(';');
  return { name, value, position };
}
