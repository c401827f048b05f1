import type { AllowStatement, MatchStatement, PatternSegment, ServiceBlock } from '../ast.ts';
import { LimitError } from '../errors.ts';
import { path, string, unknown, type Value } from '../value.ts';
import { Scope } from './scope.ts';

/**
 * A segment of the path that is asked about: its text, or for a query `anyId` (each document's own id) or
 * `anyPrefix` (any number of segments, before a collection group).
 */
export type PathSegment = string | typeof ANY_ID | typeof ANY_PREFIX;
export const ANY_ID = Symbol('anyId');
export const ANY_PREFIX = Symbol('anyPrefix');

/** An `allow` whose path matches, with the names it sees. */
export interface Candidate {
  readonly allow: AllowStatement;
  readonly scope: Scope;
}

/** Bounds the ways in which nested `{x=**}` can share a long path out between them. */
const MAX_ATTEMPTS = 10_000;

interface Search {
  readonly version: '1' | '2';
  readonly found: Candidate[];
  attempts: number;
}

/** The `allow` statements of a service that match a path, in the order of the source. */
export function findCandidates(
  service: ServiceBlock,
  version: '1' | '2',
  segments: readonly PathSegment[],
  globals: Scope,
): Candidate[] {
  const search: Search = { version, found: [], attempts: 0 };
  const scope = new Scope(globals, new Map(), service.functions);
  for (const match of service.matches) visit(match, segments, scope, search);
  return search.found.sort(
    ({ allow: { position: a } }, { allow: { position: b } }) => a.line - b.line || a.column - b.column,
  );
}

function visit(match: MatchStatement, segments: readonly PathSegment[], scope: Scope, search: Search): void {
  for (const { captures, rest } of waysToMatch(match.pattern, segments, search)) {
    const inner = new Scope(scope, captures, match.functions);
    if (rest.length === 0) {
      search.found.push(...match.allows.map((allow) => ({ allow, scope: inner })));
    }
    for (const nested of match.matches) visit(nested, rest, inner, search);
  }
}

interface Way {
  readonly captures: ReadonlyMap<string, Value>;
  readonly rest: readonly PathSegment[];
}

/** Every way in which a pattern matches the beginning of a path. */
function waysToMatch(
  [first, ...others]: readonly PatternSegment[],
  segments: readonly PathSegment[],
  search: Search,
): Way[] {
  search.attempts += 1;
  if (search.attempts > MAX_ATTEMPTS) {
    throw new LimitError('The match statements can match this path in too many ways.');
  }
  if (first === undefined) return [{ captures: new Map(), rest: segments }];
  return headsOf(first, segments, search.version).flatMap(({ captured, rest }) =>
    waysToMatch(others, rest, search).map((way) => ({
      captures:
        first.kind === 'literal' || captured === undefined
          ? way.captures
          : new Map([[first.name, captured], ...way.captures]),
      rest: way.rest,
    })),
  );
}

function headsOf(
  pattern: PatternSegment,
  segments: readonly PathSegment[],
  version: '1' | '2',
): { captured?: Value; rest: readonly PathSegment[] }[] {
  const [head, ...rest] = segments;
  switch (pattern.kind) {
    case 'literal':
      return head === pattern.text ? [{ rest }] : [];
    case 'single':
      return head === undefined || head === ANY_PREFIX ? [] : [{ captured: captureOne(head), rest }];
    case 'recursive': {
      const fewest = version === '2' ? 0 : 1;
      return segments.length < fewest
        ? []
        : [...Array(segments.length - fewest + 1).keys()].map((index) => ({
            captured: captureMany(segments.slice(0, index + fewest)),
            rest: segments.slice(index + fewest),
          }));
    }
  }
}

const captureOne = (segment: PathSegment): Value =>
  typeof segment === 'string' ? string(segment) : unknown({ types: ['string'] });

/** A path, of which only the part before the first unknown segment can be read. */
export function captureMany(segments: readonly PathSegment[]): Value {
  const known = segments.filter((segment) => typeof segment === 'string');
  if (known.length === segments.length) return path(known);
  const prefix = segments.indexOf(ANY_PREFIX);
  const readable = prefix === -1 ? segments : segments.slice(0, prefix);
  return unknown({
    types: ['path'],
    segments: readable.map((segment) => (typeof segment === 'string' ? segment : undefined)),
  });
}
