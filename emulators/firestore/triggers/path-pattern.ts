const WILDCARD = /\{[^/}=]+(?:=([^}]+))?\}|\*\*?/g;

/**
 * A test for document paths: `users/{id}`, `users/{id=*}` and `users/*` match one segment each, `users/{path=**}` any
 * number of them. https://firebase.google.com/docs/functions/firestore-events#wildcards-parameters
 */
export function pathPattern(pattern: string): RegExp {
  let source = '';
  let literalStart = 0;
  for (const match of pattern.matchAll(WILDCARD)) {
    source += literal(pattern.slice(literalStart, match.index)) + wildcardSource(match[1] ?? match[0]);
    literalStart = match.index + match[0].length;
  }
  return new RegExp(`^${source}${literal(pattern.slice(literalStart))}$`, 's');
}

/** A test for one path. */
export const exactPath = (path: string): RegExp => new RegExp(`^${literal(path)}$`);

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const wildcardSource = (wildcard: string): string =>
  wildcard.startsWith('{')
    ? '[^/]+'
    : wildcard
        .split(/(\*\*?)/)
        .map((part) => (part === '**' ? '.+' : part === '*' ? '[^/]+' : literal(part)))
        .join('');
