import { InvalidParameter, missingParameter, noSuchReference } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  clearable,
  flag,
  integer,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { searchOperation } from '../../api/search-operation.ts';
import { definedOnly } from '../../store/patch.ts';
import { emit, newId, update } from '../../world.ts';
import type { World } from '../../world.ts';
import {
  amountParams,
  currencyCode,
  currencyOptions,
  givenAmount,
  readOptions,
  setOptions,
} from './price-amounts.ts';
import { interval, isListed, priceFilters } from './price-filters.ts';
import { takeLookupKey, newPrice, requestedPrice } from './price.ts';
import { referencedProduct } from './products.ts';

const LIST = { url: '/v1/prices', noun: 'price' };

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
const unsupportedAtCreation = names(`
  billing_scheme custom_unit_amount product_data tiers tiers_mode transform_quantity
`);

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
    unsupported: [...unsupported, ...unsupportedAtCreation],
    run: ({ scope, params }) => {
      const { transfer_lookup_key: transfer, metadata: given, product, recurring: cycle } = params;
      if (product === undefined) throw missingParameter('product');
      const amount = givenAmount(params);
      const currency = currencyCode(params.currency);
      const options = readOptions(currency, params.currency_options ?? new Map());
      referencedProduct(scope, product);
      assertMeter(scope, cycle);
      takeLookupKey(scope, params.lookup_key, transfer);
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
    params: { ...pageParams, ...priceFilters },
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
      takeLookupKey(scope, changes.lookup_key, transfer, price);
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
