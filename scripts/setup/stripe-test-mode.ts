/**
 * Tries in Stripe's test mode what the local Stripe accepts: products and prices twice, a portal, a webhook endpoint
 * and a checkout:
 *
 * STRIPE_SECRET_KEY=sk_test_… node scripts/setup/stripe-test-mode.ts
 *
 * Run by the weekly workflow. It proves that the real Stripe accepts the same calls as the local one. Products and
 * prices stay in the account. STRIPE_API_URL names another server.
 */
import extrasJson from '../../functions/extras.json' with { type: 'json' };
import plansJson from '../../functions/plans.json' with { type: 'json' };
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { stripeClient } from './target.ts';
import { tryTestMode } from './test-mode.ts';

const key = process.env['STRIPE_SECRET_KEY'] ?? '';
if (/^[rs]k_test_/.test(key)) {
  const stripe = stripeClient(key, process.env['STRIPE_API_URL'] ?? 'https://api.stripe.com');
  const offered = { plans: planListSchema.parse(plansJson), extras: extrasSchema.parse(extrasJson) };
  const problems = await tryTestMode({ stripe, offered }, console.log);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  console.error('STRIPE_SECRET_KEY must be a key of the test mode.');
  process.exitCode = 1;
}
