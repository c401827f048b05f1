import { InvalidParameter, missingParameter, noSuchObject, noSuchReference } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { searchOperation } from '../../api/search-operation.ts';
import {
  clearable,
  flag,
  integer,
  list,
  metadata,
  oneOf,
  required,
  shape,
  text,
  timeRange,
  names,
} from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import type { Plan, Price } from '../../state.ts';
import { emit, newId, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { definedOnly } from '../../store/patch.ts';
import {
  amountParams,
  currencyCode,
  currencyOptions,
  givenAmount,
  readOptions,
  setOptions,
  wholeAmount,
} from './price-amounts.ts';
import { referencedProduct } from './products.ts';

const LIST = { url: '/v1/prices', noun: 'price' };

const interval = oneOf('day', 'week', 'month', 'year');
const recurring = shape(
  {
    interval: required(interval),
    interval_count: integer(1, 1095),
    meter: text(),
    usage_type: oneOf('licensed', 'metered'),
  },
  ['trial_period_days'],
);
const details = {
  active: flag(),
  currency_options: currencyOptions,
  lookup_key: text(200),
  metadata: clearable(metadata()),
  nickname: text(),
  transfer_lookup_key: flag(),
};
const unsupported = ['tax_behavior'];
const unsupportedAtFirst = names(`
  billing_scheme custom_unit_amount product_data tiers tiers_mode transform_quantity
`);

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

/** The older view of a recurring price, which subscription items still carry. */
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

/** The price that a parameter names, refused when it is archived. */
export function activePrice(world: World, id: string, param: string): Price {
  const price = referencedPrice(world, id, param);
  if (!price.active) {
    throw new InvalidParameter(`The price ${price.id} is inactive; only active prices can be used.`, param);
  }
  return price;
}

/** A price that something new can be sold for: active and recurring. */
export function usablePrice(world: World, id: string, param: string): Price {
  const price = activePrice(world, id, param);
  if (!price.recurring) throw new InvalidParameter('A subscription needs a recurring price.', param);
  return price;
}

function requestedPrice({ state }: World, id: string): Price {
  const price = state.prices.get(id);
  if (!price) throw noSuchObject('price', id);
  return price;
}

/** A lookup key names one active price: it is taken from another price only when the caller says so. */
function claimLookupKey(
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

const filters = {
  active: flag(),
  created: timeRange(),
  currency: text(3),
  lookup_keys: list(text(200), 10),
  product: text(),
  recurring: shape({ interval, meter: text(), usage_type: oneOf('licensed', 'metered') }),
  type: oneOf('one_time', 'recurring'),
};

function isListed(
  price: Price,
  { created, lookup_keys: keys, recurring: cycle, ...wanted }: Parsed<typeof filters>,
) {
  return (
    matches(price.active, wanted.active) &&
    matches(price.currency, wanted.currency?.toLowerCase()) &&
    matches(price.product, wanted.product) &&
    matches(price.type, wanted.type) &&
    (cycle === undefined || isCycle(price.recurring, cycle)) &&
    (created?.(price.created) ?? true) &&
    (keys?.includes(price.lookup_key ?? '') ?? true)
  );
}

function isCycle(
  cycle: Price['recurring'],
  wanted: NonNullable<Parsed<typeof filters>['recurring']>,
): boolean {
  return (
    matches(cycle?.interval, wanted.interval) &&
    matches(cycle?.meter, wanted.meter) &&
    matches(cycle?.usage_type, wanted.usage_type)
  );
}

/** A filter that was not given matches everything. */
function matches(value: unknown, wanted: unknown): boolean {
  return wanted === undefined || value === wanted;
}

/** https://docs.stripe.com/api/prices */
export const priceOperations = [
  operation({
    method: 'POST',
    path: '/v1/prices',
    params: {
      ...details,
      currency: required(text(3)),
      product: text(),
      ...amountParams,
      recurring,
    },
    unsupported: [...unsupported, ...unsupportedAtFirst],
    run: ({ scope, params }) => {
      const { transfer_lookup_key: transfer, metadata: given, product, recurring: cycle } = params;
      if (product === undefined) throw missingParameter('product');
      const amount = givenAmount(params);
      const currency = currencyCode(params.currency);
      const options = readOptions(currency, params.currency_options ?? new Map());
      referencedProduct(scope, product);
      assertMeter(scope, cycle);
      claimLookupKey(scope, params.lookup_key, transfer);
      const price = newPrice({
        ...definedOnly({ active: params.active, lookup_key: params.lookup_key, nickname: params.nickname }),
        id: newId('price'),
        created: scope.now(),
        product,
        currency,
        unit_amount_decimal: amount,
        recurring: cycle ?? null,
        metadata: mergeMetadata({}, given),
      });
      scope.state.prices.insert(price);
      setOptions(scope, price.id, options);
      emit(scope, 'price.created', price);
      return price;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/prices',
    params: { ...pageParams, ...filters },
    run: ({ scope, params }) => page(scope.state.prices, (price) => isListed(price, params), params, LIST),
  }),
  searchOperation(
    LIST.url,
    ['active', 'created', 'currency', 'lookup_key', 'metadata', 'product', 'type'],
    (state) => state.prices,
  ),
  operation({
    method: 'GET',
    path: '/v1/prices/:id',
    params: {},
    run: ({ scope, id }) => requestedPrice(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/prices/:id',
    params: details,
    unsupported,
    run: ({ scope, id, params }) => {
      const { currency_options: given, transfer_lookup_key: transfer, metadata: patch, ...changes } = params;
      const price = requestedPrice(scope, id);
      const options = given && readOptions(price.currency, given);
      if (options !== undefined) setOptions(scope, id, options);
      claimLookupKey(scope, changes.lookup_key, transfer, price);
      return update(scope, 'price.updated', price, {
        ...definedOnly(changes),
        metadata: mergeMetadata(price.metadata, patch),
      });
    },
  }),
];

/** A metered price needs an active meter, and only a metered price has one. */
function assertMeter({ state }: World, cycle: Parsed<{ recurring: typeof recurring }>['recurring']): void {
  const { meter: id, usage_type: usage } = cycle ?? {};
  const param = 'recurring[meter]';
  if (usage !== 'metered') {
    if (id === undefined) return;
    throw new InvalidParameter('Only a price with the usage_type `metered` can have a meter.', param);
  }
  if (id === undefined) throw missingParameter(param);
  const meter = state.meters.get(id);
  if (!meter) throw noSuchReference('billing.meter', id, param);
  if (meter.status !== 'active') throw new InvalidParameter(`The meter ${id} is inactive.`, param);
}
