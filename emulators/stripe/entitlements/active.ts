import type Stripe from 'stripe';
import type { Event } from '../events.ts';
import type { Entitlement } from '../hidden-records.ts';
import type { Subscription } from '../objects.ts';
import type { Store } from '../store/store.ts';
import { emit, newId } from '../world.ts';
import type { Scope } from '../world.ts';

type ActiveEntitlement = Stripe.Entitlements.ActiveEntitlement;
type Summary = Stripe.Entitlements.ActiveEntitlementSummary;

/** A paused subscription keeps its entitlements at Stripe; one that is incomplete or unpaid has none here. */
const ENTITLING: readonly string[] = ['active', 'past_due', 'paused', 'trialing'];

/** Syncs the entitlements of a customer after an event of a subscription. */
export function syncEntitlementsOfSubscription(scope: Scope, { data, type }: Event): void {
  if (!type.startsWith('customer.subscription.') || scope.state.productFeatures.size === 0) return;
  refreshEntitlements(scope, (data.object as Subscription).customer);
}

/** Syncs the entitlements of all customers with a subscription to a product. */
export function syncEntitlementsOfProduct(scope: Scope, product: string): void {
  const customers = scope.state.subscriptions
    .where(({ items }) => items.data.some(({ price }) => price.product === product))
    .map(({ customer }) => customer);
  for (const customer of new Set(customers)) refreshEntitlements(scope, customer);
}

function refreshEntitlements(scope: Scope, customer: string): void {
  const { state } = scope;
  const wanted = featuresOf(state, customer);
  const before = state.entitlements.where((row) => row.customer === customer);
  const had = new Set(before.map(({ feature }) => feature));
  const lost = before.filter(({ feature }) => !wanted.has(feature));
  const gained = [...wanted].filter((feature) => !had.has(feature));
  if (lost.length === 0 && gained.length === 0) return;
  const previous = listOf(state, customer);
  for (const { id } of lost) state.entitlements.remove(id);
  for (const feature of gained) {
    state.entitlements.insert({ id: newId('ent_test', 24), customer, feature });
  }
  const summary: Summary = {
    object: 'entitlements.active_entitlement_summary',
    customer,
    entitlements: listOf(state, customer),
    livemode: false,
  };
  emit(scope, 'entitlements.active_entitlement_summary.updated', summary, { entitlements: previous });
}

/** The features of the products that a customer's running subscriptions are for. */
function featuresOf({ productFeatures, subscriptions }: Store, customer: string): Set<string> {
  const products = subscriptions
    .where(({ customer: owner, status }) => owner === customer && ENTITLING.includes(status))
    .flatMap(({ items }) => items.data.map(({ price }) => price.product));
  return new Set(
    productFeatures.where(({ product }) => products.includes(product)).map(({ feature }) => feature),
  );
}

function listOf(state: Store, customer: string): Summary['entitlements'] {
  const data = state.entitlements
    .where((row) => row.customer === customer)
    .map((row) => shownEntitlement(state, row));
  return { object: 'list', data, has_more: false, url: `/v1/customer/${customer}/entitlements` };
}

/** An entitlement as the API shows it. */
export function shownEntitlement(state: Store, { id, feature }: Entitlement): ActiveEntitlement {
  return {
    id,
    object: 'entitlements.active_entitlement',
    feature,
    livemode: false,
    lookup_key: state.features.get(feature)?.lookup_key ?? '',
  };
}
