import { beforeAll, expect, test, vi } from 'vitest';
import type { AppUnderTest } from '../support/app.ts';
import { buy, buyOnce, subscriptionOf } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { signUp } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { errors } = vi.hoisted(() => {
  const errors: string[] = [];
  console.error = (line: string) => {
    errors.push(line);
  };
  return { errors };
});
const { serveApp } = await import('../support/app.ts');

const plans = plansWith({
  pro: {
    prices: { month: priceOf('hearth_pro_monthly', 1_200), once: priceOf('hearth_pro_once', 19_900) },
  },
});

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { plans, extras: CREDITS } }));
});

/** The errors in the log since the last call. */
function takeFaults(): Record<string, unknown>[] {
  return errors.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a subscription that Stripe does not cancel for an owned plan is named in the log', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/subscriptions/:id', status: 400 },
  });
  takeFaults();
  await buyOnce(app, person, { item: 'pro' });
  const { id, cancel_at_period_end } = await subscriptionOf(app, person.uid);
  expect(cancel_at_period_end).toBe(false);
  expect(takeFaults()).toMatchObject([
    {
      message: 'A subscription still runs although a one-time purchase covers its plan',
      customerId: person.uid,
      subscriptionId: id,
    },
  ]);
});
