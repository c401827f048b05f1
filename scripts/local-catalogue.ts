import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { extrasSchema, type PlansAndExtras } from '../functions/src/settings/extras.ts';
import { planListSchema } from '../functions/src/settings/plans.ts';
import { FUNCTIONS } from './paths.ts';
import type { Finding } from './setup/step.ts';
import { catalogueFindings, differentPrices, findOfferedPrices } from './setup/steps/stripe-catalogue.ts';
import { portalStep } from './setup/steps/stripe-portal.ts';

/** The plans and extras as the files have them now. */
export function readOffered(): PlansAndExtras {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(FUNCTIONS, name), 'utf8'));
  return { plans: planListSchema.parse(read('plans.json')), extras: extrasSchema.parse(read('extras.json')) };
}

/**
 * Creates the missing meters, products and prices of the plans and extras at the local Stripe, as `npm run setup` does
 * at Stripe. Stripe never changes the amount of a price. So a new price gets the lookup key of a price with another
 * amount. Subscriptions keep the old price.
 *
 * @returns a line for each change
 */
export async function updateLocalCatalogue(stripe: Stripe, offered: PlansAndExtras): Promise<string[]> {
  const found = await findOfferedPrices(stripe, offered);
  const former = differentPrices(offered, found);
  for (const { id } of former.values()) await stripe.prices.update(id, { lookup_key: `former_${id}` });
  const current = new Map([...found].filter(([key]) => !former.has(key)));
  return applyAll(await catalogueFindings(stripe, offered, current));
}

/**
 * Makes the portal of the local Stripe offer the plans, as `npm run setup` does at Stripe.
 *
 * @returns a line for each change
 */
export async function updateLocalPortal(stripe: Stripe, offered: PlansAndExtras): Promise<string[]> {
  return applyAll(await portalStep.check({ stripe, offered }));
}

async function applyAll(findings: readonly Finding[]): Promise<string[]> {
  const lines: string[] = [];
  for (const finding of findings) {
    if (!('apply' in finding)) throw new Error(finding.text);
    await finding.apply();
    lines.push(`Local Stripe: ${finding.action}`);
  }
  return lines;
}
