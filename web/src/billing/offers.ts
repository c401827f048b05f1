import type { Plan } from '@hearth/client';
import { formatMoney } from '@hearth/shared/money';
import type { Subject } from '../team/subjects.ts';
import { LOCALE } from '../texts/language.ts';
import { billingTexts } from './texts.ts';

/** An amount of Stripe for people to read, without cents if there are none. */
export function formatPrice(unitAmount: number, currency: string, locale: string = LOCALE): string {
  return formatMoney(unitAmount, currency, { locale, isShort: true });
}

export type Interval = 'month' | 'year';

/** The part of the price, in whole percent, that paying by the year saves at most. */
export function savingOf(plans: readonly Pick<Plan, 'prices'>[]): number {
  const savings = plans.map(({ prices }) => {
    if (!prices?.month || !prices.year || prices.month.currency !== prices.year.currency) return 0;
    return 1 - prices.year.unitAmount / (12 * prices.month.unitAmount);
  });
  return Math.floor(100 * Math.max(0, ...savings));
}

type Prices = NonNullable<Plan['prices']>;
type OncePrice = NonNullable<Prices['once']>;
type SeatPrice = NonNullable<Prices['month']>['seat'];

/** A price of a plan. */
export interface Offer {
  /** Undefined for a price that is paid once. */
  interval: Interval | undefined;
  price: OncePrice;
  /** The price of each member whom the base price does not cover; null if there is none. */
  seat: SeatPrice;
}

/**
 * The price of a plan for an interval, or the one that the plan is sold for. Undefined for the free plan and for a plan
 * that is not on sale.
 */
export function offerOf({ prices }: Pick<Plan, 'prices'>, wanted: Interval): Offer | undefined {
  if (prices === null) return undefined;
  for (const interval of [wanted, 'month', 'year'] as const) {
    const price = prices[interval];
    if (price !== null) return { interval, price, seat: price.seat };
  }
  return prices.once === null ? undefined : { interval: undefined, price: prices.once, seat: null };
}

/** Whether a plan is free or has a price. A plan whose prices are archived is not on sale. */
export const isOnSale = (plan: Pick<Plan, 'prices'>): boolean =>
  plan.prices === null || offerOf(plan, 'month') !== undefined;

/** The text in the place of the price of a plan without an offer. */
export function textWithoutOffer({ prices }: Pick<Plan, 'prices'>): string {
  const texts = billingTexts().offer;
  return prices === null ? texts.free : texts.notOnSale;
}

/**
 * The words after a price, such as "a month".
 *
 * @param isPerMember whether the price is for each member of a team
 */
export function periodOf({ interval }: Pick<Offer, 'interval'>, isPerMember: boolean): string {
  const { once, every, perMember } = billingTexts().offer;
  if (interval === undefined) return once;
  return isPerMember ? perMember(interval) : every(interval);
}

interface Price {
  unitAmount: number;
  currency: string;
  currencies: Readonly<Record<string, number>>;
}

/** The currencies that prices have, the usual one of each plan first. */
export function currenciesOf(plans: readonly Pick<Plan, 'prices'>[]): string[] {
  const prices = plans.flatMap((plan) => Object.values<Price | null>(plan.prices ?? {}).filter(isSold));
  return [...new Set([...prices.map(({ currency }) => currency), ...prices.flatMap(furtherOf)])];
}

const isSold = (price: Price | null) => price !== null;

const furtherOf = ({ currencies }: Price) => Object.keys(currencies);

/** The amount of a price in the wanted currency, or in its usual one if it has no such amount. */
export function amountIn(
  { unitAmount, currency, currencies }: Price,
  wanted: string | undefined,
): { unitAmount: number; currency: string } {
  const amount = wanted === undefined ? undefined : currencies[wanted];
  return wanted === undefined || amount === undefined
    ? { unitAmount, currency }
    : { unitAmount: amount, currency: wanted };
}

/** The plans that a subject can have: all plans on sale for its type, and its current plan. */
export function plansFor(
  plans: readonly Plan[],
  { team }: Pick<Subject, 'team'>,
  current: string | undefined,
): Plan[] {
  const type = team === undefined ? 'user' : 'team';
  return plans.filter((plan) => plan.slug === current || (plan.for.includes(type) && isOnSale(plan)));
}
