import { flag, list, oneOf, shape, text, timeRange } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import type { Price } from '../../objects.ts';

/** How often a recurring price is billed. */
export const interval = oneOf('day', 'week', 'month', 'year');

/** How a list of prices is filtered. */
export const priceFilters = {
  active: flag(),
  created: timeRange(),
  currency: text(3),
  lookup_keys: list(text(200), 10),
  product: text(),
  recurring: shape({ interval, meter: text(), usage_type: oneOf('licensed', 'metered') }),
  type: oneOf('one_time', 'recurring'),
};

/** Whether a price is in a list with these filters. */
export function isListed(
  price: Price,
  { created, lookup_keys: keys, recurring: cycle, ...wanted }: Parsed<typeof priceFilters>,
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
  wanted: NonNullable<Parsed<typeof priceFilters>['recurring']>,
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
