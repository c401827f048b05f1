/**
 * Sets up the products and prices in Stripe's test mode twice, and fails if the second time changes something:
 *
 *   STRIPE_SECRET_KEY=sk_test_… node scripts/setup/stripe-test-mode.ts
 *
 * Run by the weekly workflow. It proves that the real Stripe accepts the same calls as the local one.
 */
import Stripe from 'stripe';
import extrasJson from '../../functions/extras.json' with { type: 'json' };
import plansJson from '../../functions/plans.json' with { type: 'json' };
import { STRIPE_API_VERSION } from '../../functions/src/backend.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { catalogueFindings } from './steps/stripe-catalogue.ts';

const key = process.env['STRIPE_SECRET_KEY'] ?? '';
if (!/^[rs]k_test_/.test(key)) throw new Error('STRIPE_SECRET_KEY must be a key of the test mode.');
const stripe = new Stripe(key, { apiVersion: STRIPE_API_VERSION, telemetry: false });
const offered = { plans: planListSchema.parse(plansJson), extras: extrasSchema.parse(extrasJson) };

for (const finding of await catalogueFindings(stripe, offered)) {
  if ('apply' in finding) await finding.apply();
}
const left = await catalogueFindings(stripe, offered);
for (const { text } of left) console.error(text);
process.exitCode = left.length === 0 ? 0 : 1;
