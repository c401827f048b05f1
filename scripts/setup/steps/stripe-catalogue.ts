import Stripe from 'stripe';
import { wantedProducts, type WantedPrice, type WantedProduct } from '../catalogue.ts';
import type { Finding, Step, Target } from '../step.ts';

/** Stripe accepts ten lookup keys in a request. */
const MOST_KEYS = 10;

export const NO_KEY: Finding = {
  text: 'Stripe cannot be asked without its secret key.',
  advice: 'Set the environment variable STRIPE_SECRET_KEY and run this again.',
};

/** The meters, products and prices of plans.json and extras.json. */
export const catalogueStep: Step<Pick<Target, 'stripe' | 'offered'>> = {
  title: 'Products and prices at Stripe',
  check: async ({ stripe, offered }) =>
    stripe === undefined
      ? [NO_KEY]
      : catalogueFindings(stripe, offered, await findOfferedPrices(stripe, offered)),
};

/** The differences between the products and prices at Stripe and the configured ones. */
export async function catalogueFindings(
  stripe: Stripe,
  offered: Target['offered'],
  found: Prices,
): Promise<Finding[]> {
  // A price by usage needs its meter, so the meters are the first.
  const meters = await meterFindings(stripe, offered.extras.meters);
  return [
    ...meters,
    ...wantedProducts(offered).flatMap((product) => productFindings(stripe, product, found)),
  ];
}

type Meters = Target['offered']['extras']['meters'];

async function meterFindings(stripe: Stripe, wanted: Meters): Promise<Finding[]> {
  const found = new Set<string>();
  if (wanted.length === 0) return [];
  for await (const { event_name: name } of stripe.billing.meters.list({ status: 'active', limit: 100 })) {
    found.add(name);
  }
  return wanted
    .filter(({ eventName }) => !found.has(eventName))
    .map(({ eventName, name }) => ({
      text: `Stripe has no meter ${eventName}.`,
      action: `create the meter ${eventName}`,
      apply: async () => {
        const names = { display_name: name, event_name: eventName };
        await stripe.billing.meters.create({ ...names, default_aggregation: { formula: 'sum' } });
      },
    }));
}

export type Prices = ReadonlyMap<string, Stripe.Price>;

/** The active prices by their lookup keys. */
export async function findPrices(stripe: Stripe, keys: readonly string[]): Promise<Prices> {
  const found = new Map<string, Stripe.Price>();
  for (let from = 0; from < keys.length; from += MOST_KEYS) {
    const lookup_keys = keys.slice(from, from + MOST_KEYS);
    const { data } = await stripe.prices.list({
      ...{ lookup_keys, active: true, limit: 100 },
      expand: ['data.currency_options'],
    });
    for (const price of data) if (price.lookup_key !== null) found.set(price.lookup_key, price);
  }
  return found;
}

/** The active prices that have the lookup keys of the configured ones. */
export function findOfferedPrices(stripe: Stripe, offered: Target['offered']): Promise<Prices> {
  const keys = wantedPrices(offered).map(({ lookupKey }) => lookupKey);
  return findPrices(stripe, keys);
}

/** Those of the prices whose amount, currency or interval at Stripe is not the configured one. */
export function differentPrices(offered: Target['offered'], found: Prices): Prices {
  const different = wantedPrices(offered).flatMap((price) => {
    const existing = found.get(price.lookupKey);
    return existing !== undefined && differenceOf(price, existing).length > 0
      ? [[price.lookupKey, existing] as const]
      : [];
  });
  return new Map(different);
}

function wantedPrices(offered: Target['offered']): WantedPrice[] {
  return wantedProducts(offered).flatMap(({ prices }) => prices);
}

function productFindings(stripe: Stripe, product: WantedProduct, found: Prices): Finding[] {
  const missing = product.prices.filter(({ lookupKey }) => !found.has(lookupKey));
  const keys = missing.map(({ lookupKey }) => lookupKey).join(', ');
  const different = product.prices.flatMap((price) => differenceOf(price, found.get(price.lookupKey)));
  if (missing.length === 0) return different;
  const creation: Finding = {
    text: `Stripe has no price for ${keys}.`,
    action: `create the prices ${keys} of ${product.name}`,
    apply: async () => {
      const id = productIdOf(product, found) ?? (await ensureProduct(stripe, product));
      for (const price of missing) await createPrice(stripe, id, price);
    },
  };
  return [creation, ...different];
}

/** Prices cannot be changed, and which one is right is a decision. */
function differenceOf(wanted: WantedPrice, price: Stripe.Price | undefined): Finding[] {
  if (price === undefined) return [];
  const is = textOf({
    amounts: amountsOf(price),
    currency: price.currency,
    interval: price.recurring?.interval,
    isMetered: price.recurring?.usage_type === 'metered',
  });
  const should = textOf({
    amounts: new Map([
      [wanted.currency, String(wanted.unitAmount)],
      ...Object.entries(wanted.currencies).map(([code, amount]) => [code, String(amount)] as const),
    ]),
    currency: wanted.currency,
    interval: wanted.interval,
    isMetered: wanted.eventName !== undefined,
  });
  if (is === should) return [];
  return [
    {
      text: `The price ${wanted.lookupKey} is ${is} at Stripe, and ${should} in the files of the plans.`,
      advice:
        'Change the file, or create a new price in Stripe and transfer the lookup key to it (docs/operations.md, Stripe).',
    },
  ];
}

/** The amounts of a price by their currencies. */
function amountsOf({ currency, unit_amount_decimal: amount, currency_options: options = {} }: Stripe.Price) {
  const others = Object.entries(options).map(
    ([code, option]) => [code, option.unit_amount_decimal?.toString() ?? 'nothing'] as const,
  );
  return new Map([...others, [currency, amount?.toString() ?? 'nothing']]);
}

interface PriceText {
  /** By their currencies. */
  amounts: ReadonlyMap<string, string>;
  currency: string;
  interval: string | undefined;
  isMetered: boolean;
}

/** A price in words, such as `1200 usd (1100 eur) month`. */
function textOf({ amounts, currency, interval = 'once', isMetered }: PriceText): string {
  const others = [...amounts]
    .filter(([code]) => code !== currency)
    .map(([code, amount]) => `${amount} ${code}`)
    .toSorted();
  return [
    `${amounts.get(currency) ?? 'nothing'} ${currency}`,
    ...(others.length > 0 ? [`(${others.join(', ')})`] : []),
    interval,
    ...(isMetered ? ['by usage'] : []),
  ].join(' ');
}

/** The product of another price of the same plan. */
function productIdOf({ prices }: WantedProduct, found: Prices): string | undefined {
  const product = prices
    .map(({ lookupKey }) => found.get(lookupKey)?.product)
    .find((one) => one !== undefined);
  return typeof product === 'object' ? product.id : product;
}

/** Finds the product by its slug, or creates it. */
async function ensureProduct(stripe: Stripe, { slug, name, description }: WantedProduct): Promise<string> {
  for await (const product of stripe.products.list({ active: true, limit: 100 })) {
    if (product.metadata['slug'] === slug) return product.id;
  }
  const { id } = await stripe.products.create({
    name,
    ...(description !== undefined && { description }),
    metadata: { slug },
  });
  return id;
}

async function createPrice(stripe: Stripe, product: string, wanted: WantedPrice): Promise<void> {
  const { lookupKey, currency, currencies, interval, eventName } = wanted;
  const meter = eventName === undefined ? undefined : await meterIdOf(stripe, eventName);
  const options = Object.entries(currencies).map(([code, amount]) => [code, optionOf(amount)] as const);
  await stripe.prices.create({
    product,
    currency,
    lookup_key: lookupKey,
    ...amountOf(wanted.unitAmount),
    ...(options.length > 0 && { currency_options: Object.fromEntries(options) }),
    ...(interval !== undefined && {
      recurring: { interval, ...(meter !== undefined && { meter, usage_type: 'metered' as const }) },
    }),
  });
}

/** Amounts by usage may be fractions of a cent. */
function amountOf(amount: number) {
  return Number.isInteger(amount)
    ? { unit_amount: amount }
    : { unit_amount_decimal: Stripe.Decimal.from(amount) };
}

/** The amount in another currency. The SDK sends the fields of a Decimal inside of a map, so it is written as text. */
function optionOf(amount: number) {
  const { unit_amount_decimal: exact, ...whole } = { unit_amount_decimal: undefined, ...amountOf(amount) };
  return exact === undefined ? whole : { unit_amount_decimal: exact.toString() as unknown as typeof exact };
}

async function meterIdOf(stripe: Stripe, eventName: string): Promise<string> {
  for await (const meter of stripe.billing.meters.list({ status: 'active', limit: 100 })) {
    if (meter.event_name === eventName) return meter.id;
  }
  throw new Error(`Stripe has no meter ${eventName}.`);
}
