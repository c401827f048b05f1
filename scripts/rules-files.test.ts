import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRuleset } from '@hearth/security-rules/ruleset';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';

test.each(['firestore.rules', 'storage.rules'])('%s compiles without a warning', (file) => {
  const loaded = loadRuleset(readFileSync(join(ROOT, file), 'utf8'));
  expect('ruleset' in loaded ? loaded.ruleset.warnings : loaded.issues).toEqual([]);
});
