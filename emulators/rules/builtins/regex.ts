import { RE2JS } from 're2js';
import { EvaluationError } from '../errors.ts';

const CACHE_SIZE = 500;
const compiled = new Map<string, RE2JS>();

/** The reason why RE2 does not accept a regular expression, or undefined if RE2 accepts it. */
export function regexProblem(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether the pattern matches the whole text. */
export function matchesAll(pattern: string, text: string): boolean {
  return compile(pattern).matches(text);
}

/** The first match in the text, or undefined. */
export function findFirst(pattern: string, text: string): string | undefined {
  const matcher = compile(pattern).matcher(text);
  return matcher.find() ? text.slice(matcher.start(), matcher.end()) : undefined;
}

/** Every match in the text. */
export function findAll(pattern: string, text: string): string[] {
  const found: string[] = [];
  const matcher = compile(pattern).matcher(text);
  while (matcher.find()) found.push(text.slice(matcher.start(), matcher.end()));
  return found;
}

/** Replaces every match; in the replacement `$1` is a group and a backslash quotes. */
export function replaceEvery(pattern: string, text: string, replacement: string): string {
  return guarded(() => compile(pattern).matcher(text).replaceAll(replacement, true));
}

/** The parts between matches, without empty ones at the end. */
export function splitBy(pattern: string, text: string): string[] {
  const parts: string[] = [];
  const matcher = compile(pattern).matcher(text);
  let last = 0;
  while (matcher.find()) {
    parts.push(text.slice(last, matcher.start()));
    last = matcher.end();
  }
  if (parts.length === 0) return [text];
  parts.push(text.slice(last));
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

/** Compiled patterns are kept, because a rule asks for the same ones at each request. */
function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= CACHE_SIZE) compiled.clear();
  const regex = guarded(() => RE2JS.compile(octalEscapes(pattern)));
  compiled.set(pattern, regex);
  return regex;
}

/** RE2 takes `\0` and up to two octal digits after it as a character; re2js knows `\x{…}` for it. */
function octalEscapes(pattern: string): string {
  return pattern.replace(/\\(?:0([0-7]{0,2})|[\s\S])/g, (escape, digits: string | undefined) =>
    digits === undefined ? escape : `\\x{${parseInt(`0${digits}`, 8).toString(16)}}`,
  );
}

function guarded<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new EvaluationError(
      `Invalid regular expression: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
