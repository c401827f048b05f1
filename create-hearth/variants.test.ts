import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { planListSchema } from '../functions/src/settings/plans.ts';
import { SAMPLE_PLANS } from '../functions/src/testing/sample-plans.ts';
import { readChoices } from './options.ts';
import plansJson from './testing/plans.json' with { type: 'json' };
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

test.each(Object.entries(VARIANTS))('the options of the project %s are valid', async (_name, { options }) => {
  await expect(readChoices(['my-app', ...options], undefined)).resolves.toMatchObject({ folder: 'my-app' });
});

test('the weekly workflow checks every variant', () => {
  const file = join(import.meta.dirname, '../.github/workflows/weekly.yml');
  const { jobs } = parse(readFileSync(file, 'utf8')) as {
    jobs: { 'new-projects': { strategy: { matrix: { variant: string[] } } } };
  };
  expect(jobs['new-projects'].strategy.matrix.variant).toEqual(Object.keys(VARIANTS));
});
