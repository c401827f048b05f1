import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import extrasJson from '../functions/extras.json' with { type: 'json' };
import plansJson from '../functions/plans.json' with { type: 'json' };
import { extrasSchema } from '../functions/src/settings/extras.ts';
import { planListSchema } from '../functions/src/settings/plans.ts';
import { RULES_FILE, STORAGE_RULES_FILE, withFileLimits, withPlanTables } from './plan-tables.ts';

const rules = readFileSync(RULES_FILE, 'utf8');
const plans = planListSchema.parse(plansJson);
const extras = extrasSchema.parse(extrasJson);
const offered = { plans, extras };

test('the tables of firestore.rules are those that `npm run plans` writes', () => {
  expect(rules).toBe(withPlanTables(rules, offered));
});

test('the tables of storage.rules are those that `npm run plans` writes', () => {
  const storageRules = readFileSync(STORAGE_RULES_FILE, 'utf8');
  expect(storageRules).toBe(withFileLimits(storageRules, offered));
});

test('an outdated table is replaced and the rest of the rules is kept', () => {
  const [free] = plans;
  const outdated = withPlanTables(rules, { plans: [{ ...free, slug: 'outdated' }], extras });
  expect(outdated).not.toBe(rules);
  expect(withPlanTables(outdated, offered)).toBe(rules);
});

test('a text is quoted', () => {
  const [free] = plansJson;
  const quoted = planListSchema.parse([{ ...free, limits: { ...free?.limits, greeting: "it's a \\" } }]);
  expect(withPlanTables(rules, { plans: quoted, extras })).toContain("'greeting': 'it\\'s a \\\\'");
});

test('rules without a marker are an error', () => {
  expect(() => withPlanTables(rules.replace('// End of the tables', '// End'), offered)).toThrow('marker');
});
