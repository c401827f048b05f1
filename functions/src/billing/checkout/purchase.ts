import type { Interval, PaidPlan } from '../../settings/plans.ts';
import type { Subject } from '../customers/subject.ts';

/** A plan that a subject wants to buy. */
export interface Order {
  subject: Subject;
  plan: PaidPlan;
  interval: Interval;
}

/** The contents of a checkout, apart from its trial. */
export interface Cart {
  priceId: string;
  quantity: number;
}

/** An order with everything that Stripe needs for its checkout. */
export interface Purchase extends Order {
  stripeCustomerId: string;
  cart: Cart;
}
