import type { MatchStatement, SyntaxTree } from '../ast.ts';
import { issueAt, type Issue } from '../issue.ts';
import { MAX_CAPTURES, MAX_MATCH_DEPTH, MAX_PATTERN_SEGMENTS } from '../limits.ts';

/** Checks the position of recursive wildcards, and the depth and length of `match` statements. */
export function checkPatterns({ services, version }: SyntaxTree): Issue[] {
  return services.flatMap(({ matches }) =>
    matches.flatMap((match) => checkMatch(match, version, { depth: 1, segments: 0, captures: 0 })),
  );
}

interface Outer {
  readonly depth: number;
  readonly segments: number;
  readonly captures: number;
}

function checkMatch(match: MatchStatement, version: '1' | '2', outer: Outer): Issue[] {
  const { pattern, position, matches } = match;
  const segments = outer.segments + pattern.length;
  const captures = outer.captures + pattern.filter(({ kind }) => kind !== 'literal').length;
  const problems = [
    ...globProblems(match, version),
    ...(outer.depth > MAX_MATCH_DEPTH
      ? [`Match statements are nested more than ${MAX_MATCH_DEPTH} deep.`]
      : []),
    ...(segments > MAX_PATTERN_SEGMENTS
      ? [`A match path has more than ${MAX_PATTERN_SEGMENTS} segments.`]
      : []),
    ...(captures > MAX_CAPTURES ? [`A match path has more than ${MAX_CAPTURES} variables.`] : []),
  ];
  return [
    ...problems.map((problem) => issueAt(position, problem)),
    ...matches.flatMap((nested) =>
      checkMatch(nested, version, { depth: outer.depth + 1, segments, captures }),
    ),
  ];
}

function globProblems({ pattern }: MatchStatement, version: '1' | '2'): string[] {
  const globs = pattern.filter(({ kind }) => kind === 'recursive').length;
  if (globs > 1) {
    return ['Invalid glob match expression. Only one glob match is permitted in a match declaration path.'];
  }
  const isLast = pattern.at(-1)?.kind === 'recursive';
  return globs === 1 && version === '1' && !isLast
    ? [
        'Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path.',
      ]
    : [];
}
