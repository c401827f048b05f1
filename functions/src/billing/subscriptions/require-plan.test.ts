import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { setCaller } from '../../auth/caller.ts';
import { jsonErrors } from '../../http/render-error.ts';
import { planListSchema } from '../../settings/plans.ts';
import plansJson from '../../../plans.json' with { type: 'json' };
import { assertPlan, requirePlan } from './require-plan.ts';

const plans = planListSchema.parse(plansJson);

async function ask(plan: string | undefined, least: string): Promise<[number, unknown]> {
  const app = express();
  app.use((_request, response, next) => {
    const person = { uid: 'u', email: undefined, emailVerified: false, phoneNumber: undefined };
    const rest = {
      isAnonymous: false,
      displayName: undefined,
      photoURL: undefined,
      signedInAt: new Date(0),
      plan,
    };
    setCaller(response, { ...person, ...rest });
    next();
  });
  app.get('/', requirePlan({ plans }, least), (_request, response) => {
    response.json({});
  });
  app.use(jsonErrors);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return [response.status, await response.json()];
}

test.each<[plan: string | undefined, least: string, status: number]>([
  [undefined, 'free', 200],
  [undefined, 'pro', 403],
  ['free', 'pro', 403],
  ['pro', 'pro', 200],
  ['business', 'pro', 200],
  ['pro', 'business', 403],
  ['retired', 'pro', 403],
  ['constructor', 'free', 403],
])('who has the plan %s and needs %s gets %s', async (plan, least, status) => {
  const [answered, body] = await ask(plan, least);
  expect(answered).toBe(status);
  if (status === 403) expect(body).toMatchObject({ code: 'plan_required' });
});

test('a team is judged by its own plan', () => {
  expect(() => assertPlan(plans, 'free', 'pro')).toThrow('This needs the plan Pro.');
  expect(() => assertPlan(plans, 'business', 'pro')).not.toThrow();
});

test('a route cannot ask for a plan that there is not', () => {
  expect(() => requirePlan({ plans }, 'por')).toThrow('There is no plan por.');
});

test('the security rules know the plans in the same order', () => {
  const rules = readFileSync(new URL('../../../../firestore.rules', import.meta.url), 'utf8');
  const ranks = plans.map(({ slug }, rank) => `'${slug}': ${rank}`).join(', ');
  expect(rules).toContain(`let ranks = {${ranks}};`);
});
