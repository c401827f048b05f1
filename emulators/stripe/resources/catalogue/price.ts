import { InvalidParameter, noSuchObject, noSuchReference } from '../../api/errors.ts';
import type { Plan, Price } from '../../objects.ts';
import { update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { wholeAmount } from './price-amounts.ts';

interface Cycle {
  interval: 'day' | 'week' | 'month' | 'year';
  interval_count?: number | undefined;
  meter?: string | undefined;
  usage_type?: 'licensed' | 'metered' | undefined;
}

/** A price as it is stored. Emits no event, so that a seed can use it too. */
export function newPrice(given: {
  id: string;
  created: number;
  product: string;
  currency: string;
  /** In the currency's smallest unit, as text since it may be a fraction. */
  unit_amount_decimal: string;
  recurring: Cycle | null;
  active?: boolean;
  lookup_key?: string | null;
  metadata?: Record<string, string>;
  nickname?: string | null;
}): Price {
  const { recurring: cycle, ...rest } = given;
  return {
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    unit_amount: wholeAmount(given.unit_amount_decimal),
    ...rest,
    type: cycle ? 'recurring' : 'one_time',
    recurring: cycle && {
      interval: cycle.interval,
      interval_count: cycle.interval_count ?? 1,
      meter: cycle.meter ?? null,
      trial_period_days: null,
      usage_type: cycle.usage_type ?? 'licensed',
    },
  };
}

/** A recurring price in the shape of the older plan object, which subscription items still have. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: price.recurring?.meter ?? null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: price.recurring?.usage_type ?? 'licensed',
  };
}

/** The price that a parameter names, or the error that Stripe answers. */
export function referencedPrice({ state }: World, id: string, param: string): Price {
  const price = state.prices.get(id);
  if (!price) throw noSuchReference('price', id, param);
  return price;
}

/** The price that a parameter names, refused when the price or its product is archived. */
export function activePrice(world: World, id: string, param: string): Price {
  const price = referencedPrice(world, id, param);
  if (!price.active) {
    throw new InvalidParameter(`The price ${price.id} is inactive; only active prices can be used.`, param);
  }
  // The prices of an archived product stay active. https://github.com/stripe/stripe-node/issues/2131
  if (world.state.products.get(price.product)?.active === false) {
    throw new InvalidParameter(
      `The product ${price.product} is inactive, so its prices cannot be used.`,
      param,
    );
  }
  return price;
}

/** The active, recurring price that a parameter names. A new subscription needs one. */
export function activeRecurringPrice(world: World, id: string, param: string): Price {
  const price = activePrice(world, id, param);
  if (!price.recurring) throw new InvalidParameter('A subscription needs a recurring price.', param);
  return price;
}

/** The price whose id is in the path. */
export function requestedPrice({ state }: World, id: string): Price {
  const price = state.prices.get(id);
  if (!price) throw noSuchObject('price', id);
  return price;
}

/**
 * Takes a lookup key from the price that has it, because a key names one price. Refuses without `transfer`.
 * @param owner the price that gets the key, if it exists already
 */
export function takeLookupKey(
  scope: Scope,
  key: string | undefined,
  transfer: boolean | undefined,
  owner?: Price,
): void {
  const holder = scope.state.prices.find(
    (price) => key !== undefined && price.lookup_key === key && price.id !== owner?.id,
  );
  if (!holder) return;
  if (!transfer) {
    throw new InvalidParameter(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
  }
  update(scope, 'price.updated', holder, { lookup_key: null });
}
