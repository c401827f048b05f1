import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import plansJson from '../../../../plans.json' with { type: 'json' };
import { planListSchema } from '../../../settings/plans.ts';
import { SAMPLE_PLANS } from '../../../testing/sample-plans.ts';
import { requireAtLeast, requirePlan } from './require-plan.ts';

const plans = SAMPLE_PLANS;

test.each<[plan: string | undefined, least: string, allowed: boolean]>([
  [undefined, 'free', true],
  [undefined, 'pro', false],
  ['free', 'pro', false],
  ['pro', 'pro', true],
  ['business', 'pro', true],
  ['pro', 'business', false],
  ['retired', 'pro', false],
  ['constructor', 'free', false],
])('a caller on the plan %s, where %s is required: allowed is %s', (plan, least, allowed) => {
  const attempt = () => requirePlan({ plans }, { plan }, least);
  if (allowed) return expect(attempt).not.toThrow();
  expect(attempt).toThrow(expect.objectContaining({ status: 403, code: 'plan_required' }) as Error);
});

test('the plan of a team is compared in the same way', () => {
  expect(() => requireAtLeast(plans, 'free', 'pro')).toThrow(
    'You need the plan Pro or a higher one for this.',
  );
  expect(() => requireAtLeast(plans, 'business', 'pro')).not.toThrow();
});

test.each<[plan: string, least: string]>([
  ['gold', 'pro'],
  ['pro', 'gold'],
  ['business', 'gold'],
])('a former slug means its plan: %s, where %s is required', (plan, least) => {
  const [free, pro, business] = SAMPLE_PLANS;
  const renamed = planListSchema.parse([free, { ...pro, formerly: ['gold'] }, business]);
  expect(() => requirePlan({ plans: renamed }, { plan }, least)).not.toThrow();
  expect(() => requireAtLeast(renamed, 'free', 'gold')).toThrow(
    'You need the plan Pro or a higher one for this.',
  );
});

test('an unknown plan cannot be required', () => {
  expect(() => requirePlan({ plans }, { plan: 'pro' }, 'por')).toThrow('There is no plan por.');
});

test('the security rules rank the plans in the same order', () => {
  const rules = readFileSync(new URL('../../../../../firestore.rules', import.meta.url), 'utf8');
  const own = planListSchema.parse(plansJson);
  const former = own.flatMap(({ slug, formerly }) => formerly.map((old) => `'${old}': '${slug}'`)).join(', ');
  const ranks = own.map(({ slug }, rank) => `'${slug}': ${rank}`).join(', ');
  expect(rules).toContain(`let slugs = {${former}};`);
  expect(rules).toContain(`let ranks = {${ranks}};`);
});
