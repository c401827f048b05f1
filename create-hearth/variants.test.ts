import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { invalidSettings } from '../functions/src/settings/config.ts';
import { conflictWith, extrasSchema } from '../functions/src/settings/extras.ts';
import { planListSchema } from '../functions/src/settings/plans.ts';
import { SAMPLE_PLANS } from '../functions/src/testing/sample-plans.ts';
import { TEST_SETTINGS } from '../functions/src/testing/settings.ts';
import { readEnvFile } from '../scripts/settings-files.ts';
import { BRAND } from '../shared/src/brand.ts';
import { readChoices } from './options.ts';
import brandJson from './testing/owner/shared/brand.json' with { type: 'json' };
import extrasJson from './testing/plans/functions/extras.json' with { type: 'json' };
import plansJson from './testing/plans/functions/plans.json' with { type: 'json' };
import { VARIANTS } from './variants.ts';

test('the other plans share no slug, name, amount or currency with the sample plans of the tests', () => {
  const other = planListSchema.parse(plansJson);
  const facts = (plans: typeof other) =>
    plans.flatMap(({ slug, name, prices }) => [
      slug,
      name,
      ...[prices?.month, prices?.year].flatMap((price) =>
        price === undefined ? [] : [price.unitAmount, price.currency, price.lookupKey],
      ),
    ]);
  const sample = new Set(facts(SAMPLE_PLANS));
  expect(facts(other).filter((fact) => sample.has(fact))).toEqual([]);
});

test('the files of an owner use what building.md offers: a renamed plan, every kind of extra, brand and settings', () => {
  const plans = planListSchema.parse(plansJson);
  expect(plans.flatMap(({ formerly }) => formerly)).not.toEqual([]);
  const extras = extrasSchema.parse(extrasJson);
  expect(conflictWith(plans, extras)).toBeUndefined();
  for (const items of Object.values(extras)) expect(items).not.toEqual([]);
  expect(Object.keys(brandJson)).toEqual(Object.keys(BRAND));
  // A logo of another origin needs a change of firebase.json as well.
  const missing = Object.entries(brandJson).flatMap(([name, value]) => (value === null ? [name] : []));
  expect(missing).toEqual(['logoUrl']);
  const settings = readEnvFile(join(import.meta.dirname, 'testing/owner/functions/.env'));
  expect(invalidSettings({ ...TEST_SETTINGS, ...settings })).toEqual([]);
  expect(Object.entries(settings).filter(([name, value]) => TEST_SETTINGS[name] === value)).toEqual([]);
});

test.each(Object.entries(VARIANTS))('the options of the project %s are valid', async (_name, { options }) => {
  await expect(readChoices(['my-app', ...options], undefined)).resolves.toMatchObject({ folder: 'my-app' });
});

test('the workflow of new projects checks every variant', () => {
  const file = join(import.meta.dirname, '../.github/workflows/new-projects.yml');
  const { jobs } = parse(readFileSync(file, 'utf8')) as {
    jobs: { 'new-projects': { strategy: { matrix: { variant: string[] } } } };
  };
  expect(jobs['new-projects'].strategy.matrix.variant).toEqual(Object.keys(VARIANTS));
});
