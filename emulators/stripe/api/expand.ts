import { shownOptions } from '../resources/catalogue/price-amounts.ts';
import type { World } from '../world.ts';
import { InvalidParameter } from './errors.ts';
import { embeddedList } from './rendering.ts';

type Json = Record<string, unknown>;

const MAX_DEPTH = 4;

/** Properties that contain an id and can be expanded to the object: `<object>.<path>` -> where it is found. */
const REFERENCES: Readonly<Record<string, (world: World, id: string) => object | undefined>> = {
  'billing_portal.session.customer': findCustomer,
  'billing_portal.session.configuration': ({ state }, id) => state.portalConfigurations.get(id),
  'charge.customer': findCustomer,
  'charge.payment_intent': findIntent,
  'credit_note.customer': findCustomer,
  'credit_note.invoice': findInvoice,
  'dispute.charge': findCharge,
  'dispute.payment_intent': findIntent,
  'invoice_payment.invoice': findInvoice,
  'invoice_payment.payment.payment_intent': findIntent,
  'refund.charge': findCharge,
  'refund.payment_intent': findIntent,
  'checkout.session.customer': findCustomer,
  'checkout.session.discounts.coupon': findCoupon,
  'checkout.session.discounts.promotion_code': findPromotionCode,
  'checkout.session.invoice': findInvoice,
  'checkout.session.payment_intent': findIntent,
  'checkout.session.payment_link': ({ state }, id) => state.paymentLinks.get(id),
  'checkout.session.subscription': findSubscription,
  'customer.invoice_settings.default_payment_method': findMethod,
  'customer.test_clock': findTestClock,
  'discount.customer': findCustomer,
  'discount.promotion_code': findPromotionCode,
  'discount.source.coupon': findCoupon,
  'entitlements.active_entitlement.feature': ({ state }, id) => state.features.get(id),
  'invoice.customer': findCustomer,
  'invoice.default_payment_method': findMethod,
  'invoice.discounts': findDiscount,
  'invoice.total_discount_amounts.discount': findDiscount,
  'invoice.parent.subscription_details.subscription': findSubscription,
  'invoice.test_clock': findTestClock,
  'invoiceitem.customer': findCustomer,
  'invoiceitem.invoice': findInvoice,
  'line_item.discount_amounts.discount': findDiscount,
  'line_item.subscription': findSubscription,
  'payment_intent.customer': findCustomer,
  'payment_intent.latest_charge': findCharge,
  'payment_intent.payment_method': findMethod,
  'payment_method.customer': findCustomer,
  'promotion_code.customer': findCustomer,
  'promotion_code.promotion.coupon': findCoupon,
  'plan.product': findProduct,
  'price.product': findProduct,
  'product.default_price': ({ state }, id) => state.prices.get(id),
  'subscription.customer': findCustomer,
  'subscription.discounts': findDiscount,
  'subscription.default_payment_method': findMethod,
  'subscription.latest_invoice': findInvoice,
  'subscription.schedule': findSchedule,
  'subscription.test_clock': findTestClock,
  'subscription_schedule.customer': findCustomer,
  'subscription_schedule.phases.items.price': ({ state }, id) => state.prices.get(id),
  'subscription_schedule.subscription': findSubscription,
  'subscription_schedule.test_clock': findTestClock,
  'tax_id.customer': findCustomer,
};

/** Properties that are left out unless they are asked for. */
const INCLUDED: Readonly<Record<string, (world: World, id: string) => unknown>> = {
  'billing_portal.configuration.features.subscription_update.products': ({ state }, id) =>
    state.portalProducts.get(id)?.products ?? null,
  'checkout.session.line_items': ({ state }, id) =>
    embeddedList(state.checkoutDetails.get(id)?.lineItems ?? [], `/v1/checkout/sessions/${id}/line_items`),
  'price.currency_options': shownOptions,
  'payment_link.line_items': ({ state }, id) =>
    embeddedList(state.linkItems.get(id)?.lineItems ?? [], `/v1/payment_links/${id}/line_items`),
  'charge.refunds': ({ state }, id) =>
    embeddedList(state.refunds.where(({ charge }) => charge === id).reverse(), `/v1/charges/${id}/refunds`),
  'customer.tax_ids': ({ state }, id) =>
    embeddedList(
      state.taxIds.where(({ customer }) => customer === id).reverse(),
      `/v1/customers/${id}/tax_ids`,
    ),
  'invoice.payments': ({ state }, id) =>
    embeddedList(
      state.invoicePayments.where(({ invoice }) => invoice === id).reverse(),
      `/v1/invoice_payments?invoice=${id}`,
    ),
  'customer.subscriptions': ({ state }, id) =>
    embeddedList(
      state.subscriptions.where(({ customer, status }) => customer === id && status !== 'canceled').reverse(),
      `/v1/customers/${id}/subscriptions`,
    ),
};

function findCustomer({ state }: World, id: string): object | undefined {
  return state.customers.get(id) ?? state.deletedCustomers.get(id);
}

function findInvoice({ state }: World, id: string): object | undefined {
  return state.invoices.get(id);
}

function findCoupon({ state }: World, id: string): object | undefined {
  return state.coupons.get(id) ?? state.deletedCoupons.get(id);
}

function findDiscount({ state }: World, id: string): object | undefined {
  return state.discounts.get(id);
}

function findPromotionCode({ state }: World, id: string): object | undefined {
  return state.promotionCodes.get(id);
}

function findIntent({ state }: World, id: string): object | undefined {
  return state.paymentIntents.get(id);
}

function findMethod({ state }: World, id: string): object | undefined {
  return state.paymentMethods.get(id);
}

function findTestClock({ state }: World, id: string): object | undefined {
  return state.testClocks.get(id);
}

function findProduct({ state }: World, id: string): object | undefined {
  return state.products.get(id);
}

function findCharge({ state }: World, id: string): object | undefined {
  return state.charges.get(id);
}

function findSchedule({ state }: World, id: string): object | undefined {
  return state.subscriptionSchedules.get(id);
}

function findSubscription({ state }: World, id: string): object | undefined {
  return state.subscriptions.get(id);
}

/**
 * A copy of an object with the asked properties expanded, such as `data.product` or `subscription.latest_invoice`;
 * https://docs.stripe.com/api/expanding_objects.
 */
export function expand(world: World, object: object, paths: readonly string[]): object {
  const copy = structuredClone(object);
  for (const path of paths) {
    const segments = path.split('.');
    if (segments.filter((segment) => segment !== 'data').length > MAX_DEPTH) {
      throw new InvalidParameter(
        `You cannot expand more than ${MAX_DEPTH} levels of a property (${path}).`,
        'expand',
      );
    }
    walk(world, atTop(copy as Json), segments, path);
  }
  return copy;
}

/** A part of an object. */
interface Part {
  node: Json;
  /** The id of the object. */
  id: string;
  /** Where the part is, such as `billing_portal.configuration.features`; for the whole object its name. */
  within: string;
}

function atTop(node: Json): Part {
  return { node, id: String(node.id), within: String(node.object) };
}

function walk(world: World, part: Part, segments: readonly string[], path: string): void {
  const { node, id, within } = part;
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  if (segment === 'data' && Array.isArray(node.data)) {
    for (const item of node.data as Json[]) walk(world, atTop(item), rest, path);
    return;
  }
  const place = `${within}.${segment}`;
  load(world, part, segment, place);
  const next = Object.hasOwn(node, segment) ? node[segment] : undefined;
  if (next === undefined || (!isExpandable(place) && (rest.length === 0 || typeof next === 'string'))) {
    throw new InvalidParameter(`This property cannot be expanded (${path}).`, 'expand');
  }
  for (const child of Array.isArray(next) ? (next as unknown[]) : [next]) {
    if (!isExisting(child)) continue;
    walk(world, 'object' in child ? atTop(child) : { node: child, id, within: place }, rest, path);
  }
}

function load(world: World, { node, id: owner }: Part, segment: string, place: string): void {
  const value = node[segment];
  const include = Object.hasOwn(INCLUDED, place) ? INCLUDED[place] : undefined;
  const refer = Object.hasOwn(REFERENCES, place) ? REFERENCES[place] : undefined;
  if (include && value === undefined) node[segment] = structuredClone(include(world, owner));
  if (!refer) return;
  const found = (id: unknown): unknown =>
    typeof id === 'string' ? (structuredClone(refer(world, id)) ?? id) : id;
  if (Array.isArray(value)) node[segment] = value.map(found);
  else if (typeof value === 'string') node[segment] = found(value);
}

function isExpandable(place: string): boolean {
  return Object.hasOwn(REFERENCES, place) || Object.hasOwn(INCLUDED, place);
}

/** False for a deleted object, which has no properties to expand. */
function isExisting(value: unknown): value is Json {
  return isJson(value) && value.deleted !== true;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
