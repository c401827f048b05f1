/**
 * The language by expressions and their verdicts, which hold for any implementation. By default this repository's
 * engine is asked; with RULES_CONFORMANCE_TARGET=host:port the Firestore emulator that listens there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { firestoreRules, verdictOf, type Verdict } from './testing.ts';

interface Table {
  readonly about: string;
  readonly source: string;
  readonly cases: readonly (readonly [Verdict, string])[];
}

const FOLDER = join(import.meta.dirname, '../conformance/rules');
const PROJECT = 'demo-conformance';
const target = process.env['RULES_CONFORMANCE_TARGET'];

const tables = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Table,
);
const verdict = target === undefined ? verdictOf : (expression: string) => verdictAt(target, expression);

describe.each(tables)('$about', ({ cases }) => {
  test.each(cases)('%s: %s', async (expected, expression) => {
    expect(await verdict(expression)).toBe(expected);
    // The negation of a false condition is allowed. The negation of a condition with an error is not.
    const negated = { T: 'F', F: 'T', E: 'E', C: 'C' }[expected];
    expect(await verdict(`!(${expression})`)).toBe(negated);
  });
});

async function verdictAt(host: string, expression: string): Promise<Verdict> {
  const allowed = await isAllowedAt(host, expression);
  if (allowed === undefined) return 'C';
  if (allowed) return 'T';
  return (await isAllowedAt(host, `!(${expression})`)) === true ? 'F' : 'E';
}

/** Undefined when the emulator refuses the ruleset. */
async function isAllowedAt(host: string, expression: string): Promise<boolean | undefined> {
  const content = firestoreRules(`match /c/{d} { allow read, write: if ${expression}; }`);
  const loaded = await fetch(`http://${host}/emulator/v1/projects/${PROJECT}:securityRules`, {
    method: 'PUT',
    body: JSON.stringify({ rules: { files: [{ name: 'firestore.rules', content }] } }),
  });
  if (!loaded.ok) return undefined;
  const { status } = await fetch(`http://${host}/v1/projects/${PROJECT}/databases/(default)/documents/c/d`);
  return status !== 403;
}
