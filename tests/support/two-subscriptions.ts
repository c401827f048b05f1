import type Stripe from 'stripe';
import { expect } from 'vitest';
import type { Backend } from '../../functions/src/backend.ts';
import { paymentIntentIdsOf } from '../../functions/src/billing/stripe/invoice.ts';
import type { AppUnderTest } from './app.ts';
import { checkout, stripeOf } from './billing.ts';
import { adminFirestore, signUp, type Person } from './people.ts';
import { call, locationOf } from './requests.ts';

export const PRO = 'price_hearth_pro_month';
export const BUSINESS = 'price_hearth_business_month';

/** Accounts of a subscription, as `accountOf` describes it. */
export const PRO_KEPT = 'active: paid 1200, refunded 0';
export const BUSINESS_KEPT = 'active: paid 4900, refunded 0';
export const REFUNDED = 'canceled: paid 1200, refunded 1200';

export const stripeIdOf = async (customerId: string) =>
  (await adminFirestore().doc(`customers/${customerId}`).get()).get('stripeId') as string;

export const duplicatesOf = async (customerId: string) =>
  (await adminFirestore().doc(`customers/${customerId}`).get()).get('markedDuplicates') as unknown;

/** Makes a subscription as sales does in Stripe's dashboard. */
export async function sell(
  app: AppUnderTest,
  customerId: string,
  price: string,
): Promise<Stripe.Subscription> {
  const customer = await stripeIdOf(customerId);
  const card = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer });
  return stripeOf(app).subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: card.id,
  });
}

/** Pays on the hosted page. Nothing hears of it. */
export async function payUnheard(page: URL): Promise<void> {
  expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(303);
}

/**
 * The subscriptions at Stripe, with the amounts paid and refunded: first the subscription by sales, then the other one.
 */
export async function accountOf(
  app: AppUnderTest,
  { id: soldId, customer }: Stripe.Subscription,
): Promise<string[]> {
  const stripe = stripeOf(app);
  const { data } = await stripe.subscriptions.list({ customer: customer as string, status: 'all' });
  const inOrder = data.sort((a, b) => Number(b.id === soldId) - Number(a.id === soldId));
  return Promise.all(
    inOrder.map(async ({ id, status }) => {
      const invoices = await stripe.invoices.list({ subscription: id, expand: ['data.payments'] });
      const intents = invoices.data.flatMap(paymentIntentIdsOf);
      const charges = await Promise.all(
        intents.map((intent) => stripe.charges.list({ payment_intent: intent })),
      );
      const all = charges.flatMap((page) => page.data);
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      const paid = sum(all.map(({ amount }) => amount));
      return `${status}: paid ${paid}, refunded ${sum(all.map((charge) => charge.amount_refunded))}`;
    }),
  );
}

export const failAtStripe = (app: AppUnderTest, fault: object) =>
  call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });

/** A person whose checkout page was open while sales sold a plan, and who then paid. */
export async function payBesideSales(
  app: AppUnderTest,
  price: string,
  bought: string,
): Promise<{ person: Person; sold: Stripe.Subscription }> {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, bought));
  const sold = await sell(app, person.uid, price);
  await payUnheard(page);
  return { person, sold };
}

/** A backend in which `before` runs once, before the transaction with this number. */
export function withStep(
  app: AppUnderTest,
  transaction: number,
  before: () => Promise<unknown>,
): { backend: Backend; runs: () => number } {
  const { db } = app.backend;
  let runs = 0;
  const slow = new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'run') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (...args: Parameters<typeof db.run>) => {
        if (++runs === transaction) await before();
        return db.run(...args);
      };
    },
  });
  return { backend: { ...app.backend, db: slow }, runs: () => runs };
}
