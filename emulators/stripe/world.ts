import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';
import type { Dunning } from './billing/dunning.ts';
import type { Event, EventType, RequestOrigin } from './events.ts';
import type { Collection } from './store/collection.ts';
import type { Change } from './store/journal.ts';
import type { Store } from './store/store.ts';

/** The one version that is served; the compiler refuses it when the SDK moves on. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

/** The state and settings that every operation uses. */
export interface World {
  readonly state: Store;
  /** Origin of the hosted pages, without a slash at the end. */
  readonly origin: string;
  /** The current time in seconds since 1970. */
  now: () => number;
  /** The retries of unpaid renewals; tests set them. */
  readonly dunning: Dunning;
  /** Whether Stripe's limits for each customer and subscription apply; see billing/subscriptions/limits.ts. */
  readonly limits: boolean;
  /** Sends an event to the webhook endpoints; does not wait. */
  deliver: (event: Event) => void;
  /** Applies the consequences of an event within Stripe, such as a change of entitlements. */
  readonly follow: (scope: Scope, event: Event) => void;
  /** How many endpoints get an event of a type. */
  readonly endpointsOf: (type: string) => number;
}

/** A world, and the request that changes it. */
export interface Scope extends World {
  readonly request: RequestOrigin;
}

/** The scope of changes that no API request made: hosted pages and the passing of time. */
export function withoutRequest(world: World): Scope {
  return { ...world, request: { id: null, idempotency_key: null } };
}

/** The same scope at another time, so that an overdue change happens at its due time. */
export function at<S extends World>(scope: S, seconds: number): S {
  return { ...scope, now: () => seconds };
}

/** The scope at the time of the object's test clock, if it has one. */
export function inTimeOf<S extends World>(scope: S, { test_clock: id }: { test_clock: string | null }): S {
  const clock = id === null ? undefined : scope.state.testClocks.get(id);
  return clock ? at(scope, clock.frozen_time) : scope;
}

/** Finds out the result of a change: makes it, undoes it and returns its result. No event is delivered. */
export function imagine<T>(scope: Scope, work: (trial: Scope) => T): T {
  const change = scope.state.begin();
  try {
    return work({ ...scope, deliver: () => undefined });
  } finally {
    change.rollBack();
  }
}

/** Changes the state completely, or not at all if `work` throws. Events are delivered after the change. */
export function tentatively<T>(scope: Scope, work: (trial: Scope) => T): T {
  const { trial, commit, rollBack } = rehearse(scope);
  try {
    const result = work(trial);
    commit();
    return result;
  } catch (error) {
    rollBack();
    throw error;
  }
}

/** A scope whose changes can be undone. Its events are delivered by `commit`. */
export function rehearse(scope: Scope): { trial: Scope } & Change {
  const events: Event[] = [];
  const change = scope.state.begin();
  return {
    trial: { ...scope, deliver: (event) => events.push(event) },
    commit: () => {
      change.commit();
      for (const event of events) scope.deliver(event);
    },
    rollBack: change.rollBack,
  };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An unguessable id such as `cus_N2xYb…`: 24 characters of 62, so 142 bits. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')}`;
}

/** Records an event of an object, and sends it to the webhook endpoints. */
export function emit(
  scope: Scope,
  type: EventType,
  object: object,
  previous?: Record<string, unknown>,
): void {
  const event = scope.state.events.insert({
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: scope.now(),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: scope.endpointsOf(type),
    request: scope.request,
    type,
  });
  scope.deliver(event);
  scope.follow(scope, event);
}

/** Where the objects of an event of change are stored. */
const CHANGED = {
  'billing.meter.deactivated': 'meters',
  'billing.meter.reactivated': 'meters',
  'billing.meter.updated': 'meters',
  'billing_portal.configuration.updated': 'portalConfigurations',
  'charge.refunded': 'charges',
  'coupon.updated': 'coupons',
  'credit_note.updated': 'creditNotes',
  'customer.subscription.updated': 'subscriptions',
  'customer.updated': 'customers',
  'invoice.updated': 'invoices',
  'payment_link.updated': 'paymentLinks',
  'payment_method.updated': 'paymentMethods',
  'price.updated': 'prices',
  'product.updated': 'products',
  'promotion_code.updated': 'promotionCodes',
  'refund.updated': 'refunds',
  'subscription_schedule.updated': 'subscriptionSchedules',
} as const satisfies Partial<Record<EventType, keyof Store>>;

type ChangeEvent = keyof typeof CHANGED;
type Changed<E extends ChangeEvent> = Store[(typeof CHANGED)[E]] extends Collection<infer T> ? T : never;

/**
 * Changes an object and emits an event with the previous values. Without a change there is no event.
 * @returns the object as it is now
 */
export function update<E extends ChangeEvent>(
  scope: Scope,
  type: E,
  { id }: Pick<Changed<E>, 'id'>,
  patch: Partial<Changed<E>>,
): Changed<E> {
  const rows = scope.state[CHANGED[type]] as unknown as Collection<Changed<E>>;
  const before = rows.get(id);
  if (!before) throw new Error(`There is no object with the id ${id}`);
  const changed = (Object.keys(patch) as (keyof Changed<E> & string)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(patch[key]),
  );
  if (changed.length === 0) return before;
  const after = rows.patch(id, patch);
  emit(scope, type, after, Object.fromEntries(changed.map((key) => [key, before[key] ?? null])));
  return after;
}
