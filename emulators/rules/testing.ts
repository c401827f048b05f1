/** Shared by the tests: loads small rulesets and asks them. */
import { DocumentAccess } from './documents.ts';
import type { Decision, RulesRequest } from './request.ts';
import { loadRuleset, type Ruleset } from './ruleset.ts';
import { NULL, path as pathValue, timestamp, type MapValue } from './value.ts';

export const DATABASE = ['databases', '(default)', 'documents'];

/** A path below the database: `inDatabase('users/ada')`. */
export const inDatabase = (relative: string): string[] => [...DATABASE, ...relative.split('/')];

/** A Firestore ruleset with these statements below the database. */
export function firestoreRules(statements: string, version: '1' | '2' = '2'): string {
  return `rules_version = '${version}';\nservice cloud.firestore { match /databases/{database}/documents {\n${statements}\n} }`;
}

/** Loads a source that has to be accepted. */
export function mustLoad(source: string): Ruleset {
  const loaded = loadRuleset(source);
  if ('issues' in loaded) throw new Error(JSON.stringify(loaded.issues));
  return loaded.ruleset;
}

/** Access to these documents, by their path below the database. */
export function documentsOf(
  documents: Readonly<Record<string, MapValue>> = {},
  limit?: number,
): DocumentAccess {
  return new DocumentAccess(
    ({ segments }) => Promise.resolve(documents[segments.slice(DATABASE.length).join('/')]),
    limit,
  );
}

/** Asks a ruleset, by default for a `get` of `c/d` of a signed-out user. */
export function ask(ruleset: Ruleset, request: Partial<RulesRequest> = {}): Promise<Decision> {
  return ruleset.evaluate({
    service: 'cloud.firestore',
    method: 'get',
    path: inDatabase('c/d'),
    auth: NULL,
    time: timestamp(1_600_000_000_123_456_789n),
    documents: documentsOf(),
    ...request,
  });
}

export const referenceTo = (relative: string): ReturnType<typeof pathValue> =>
  pathValue(inDatabase(relative));

/** T: allowed, F: false, E: cannot be evaluated, C: refused when it is loaded. */
export type Verdict = 'T' | 'F' | 'E' | 'C';

/** The verdict of an expression as the condition of `allow get`. */
export async function verdictOf(expression: string, request: Partial<RulesRequest> = {}): Promise<Verdict> {
  const loaded = loadRuleset(firestoreRules(`match /c/{d} { allow read, write: if ${expression}; }`));
  if ('issues' in loaded) return 'C';
  const { allowed, outcomes } = await ask(loaded.ruleset, request);
  if (allowed) return 'T';
  return outcomes[0]?.result === 'false' ? 'F' : 'E';
}
