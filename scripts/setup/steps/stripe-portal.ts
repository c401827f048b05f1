import type Stripe from 'stripe';
import {
  defaultInterval,
  INTERVALS,
  isPaid,
  meteredPricesOf,
  seatLookupKeys,
  type PaidPlan,
  type PlanList,
} from '../../../functions/src/settings/plans.ts';
import { wantedProducts } from '../catalogue.ts';
import type { Step, Target } from '../step.ts';
import { findPrices, NO_KEY } from './stripe-catalogue.ts';

/** The portal may switch between this many products. */
const MOST_PRODUCTS = 10;

/**
 * Where a configuration has the products between which it can switch. Stripe leaves them out of an answer unless they
 * are expanded. https://docs.stripe.com/api/expanding_objects
 */
export const PORTAL_PRODUCTS = 'features.subscription_update.products';

/**
 * A change of plan in the portal costs the same as by the API: the difference is charged or credited immediately, and a
 * trial continues. By default, Stripe charges nothing before the renewal and ends the trial.
 */
const CHANGES = { proration_behavior: 'always_invoice', trial_update_behavior: 'continue_trial' } as const;

/** The default configuration of the customer portal, which the service uses. */
export const portalStep: Step<Pick<Target, 'stripe' | 'offered'>> = {
  title: 'Customer portal of Stripe',
  check: async ({ stripe, offered }) => {
    if (stripe === undefined) return [NO_KEY];
    const { data } = await stripe.billingPortal.configurations.list({
      is_default: true,
      active: true,
      limit: 1,
      expand: [`data.${PORTAL_PRODUCTS}`],
    });
    const [configuration] = data;
    if (configuration === undefined) {
      return [
        {
          text: 'The customer portal is not active, and only the dashboard can activate it.',
          advice: 'Press "Activate" at https://dashboard.stripe.com/settings/billing/portal',
        },
      ];
    }
    const products = await switchable(stripe, offered);
    if (allows(configuration.features, products)) return [];
    return [
      {
        text: 'The customer portal does not offer exactly the plans that it can sell, cancelling at the end of a period, payment methods and invoices, it allows a change of quantity, or it does not charge a change of plan immediately.',
        action:
          'let customers switch plans, cancel, change their payment method and see invoices in the portal',
        apply: async () => {
          await stripe.billingPortal.configurations.update(configuration.id, {
            features: featuresOf(products),
          });
        },
      },
    ];
  },
};

export interface Switchable {
  product: string;
  prices: string[];
}

/**
 * The plans between whose prices the portal can switch, for any subscriber whom it lets change the plan. Empty if they
 * have fewer than two prices together: then plan changes in the portal are off.
 *
 * The portal changes the price of the only line item and keeps its quantity. Therefore these plans are left out:
 *
 * - A base price with seats: a team that had a price per seat would pay the base price once for each member.
 * - Usage: the line item of the meter would be missing.
 * - A plan that not every subscriber may have: one configuration serves users and teams.
 */
export function switchablePlans(plans: PlanList): PaidPlan[] {
  const subscribable = plans.filter(isPaid).filter((plan) => defaultInterval(plan) !== undefined);
  const subscribers = new Set(subscribable.flatMap((plan) => plan.for));
  const found = subscribable.filter(
    (plan) =>
      seatLookupKeys(plan).length === 0 &&
      meteredPricesOf(plan).length === 0 &&
      [...subscribers].every((type) => plan.for.includes(type)),
  );
  const prices = found.flatMap((plan) => INTERVALS.filter((interval) => plan.prices[interval] !== undefined));
  return prices.length > 1 ? found : [];
}

/** The products of the plans between which the portal can switch, with their recurring prices. */
export async function switchable(stripe: Stripe, offered: Target['offered']): Promise<Switchable[]> {
  const slugs = new Set(switchablePlans(offered.plans).map(({ slug }) => slug));
  const prices = wantedProducts(offered)
    .filter(({ slug }) => slugs.has(slug))
    .flatMap((product) => product.prices.filter(({ interval }) => interval !== undefined));
  const found = await findPrices(
    stripe,
    prices.map(({ lookupKey }) => lookupKey),
  );
  const byProduct = Map.groupBy(found.values(), ({ product }) =>
    typeof product === 'string' ? product : product.id,
  );
  return [...byProduct]
    .map(([product, ofProduct]) => ({ product, prices: ofProduct.map(({ id }) => id) }))
    .slice(0, MOST_PRODUCTS);
}

type Features = Stripe.BillingPortal.Configuration['features'];

/** Whether the portal offers exactly what the service expects. `PORTAL_PRODUCTS` must be expanded. */
export function allows(features: Features, wanted: Switchable[]): boolean {
  const {
    invoice_history: history,
    subscription_update: update,
    subscription_cancel: cancel,
    payment_method_update: method,
  } = features;
  return (
    history.enabled &&
    cancel.enabled &&
    cancel.mode === 'at_period_end' &&
    method.enabled &&
    (wanted.length > 0 ? allowsChanges(update, wanted) : forbidsChanges(update))
  );
}

function allowsChanges(update: Features['subscription_update'], wanted: Switchable[]): boolean {
  return (
    update.enabled &&
    update.default_allowed_updates.join() === 'price' &&
    update.proration_behavior === CHANGES.proration_behavior &&
    update.trial_update_behavior === CHANGES.trial_update_behavior &&
    areSame(update.products ?? [], wanted)
  );
}

function forbidsChanges(update: Features['subscription_update']): boolean {
  return !update.enabled && update.default_allowed_updates.length === 0;
}

function areSame(products: readonly { prices: string[] }[], wanted: Switchable[]): boolean {
  const offered = new Set(products.flatMap(({ prices }) => prices));
  const prices = wanted.flatMap((product) => product.prices);
  return offered.size === prices.length && prices.every((price) => offered.has(price));
}

/** The features of a portal that offers the plans. */
export function featuresOf(products: Switchable[]): Stripe.BillingPortal.ConfigurationCreateParams.Features {
  return {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update:
      products.length > 0
        ? { enabled: true, default_allowed_updates: ['price'], products, ...CHANGES }
        : { enabled: false, default_allowed_updates: '' },
  };
}
