import { ApiError } from '../api/errors.ts';
import { formOf } from '../api/parameters/form.ts';
import { fields, webUrl } from '../api/parameters/params.ts';
import { couponFor } from '../billing/discounts/discounts.ts';
import { notice, seeOther } from '../hosted/page.tsx';
import type { CheckoutSession, PaymentLink } from '../objects.ts';
import { findCode } from '../resources/catalogue/promotion-codes.ts';
import { createSession } from '../resources/checkout/checkout-create.ts';
import type { SessionParams } from '../resources/checkout/checkout-create.ts';
import { createParams } from '../resources/checkout/checkout-params.ts';
import { saveCheckout } from '../resources/checkout/checkout-totals.ts';
import { update } from '../world.ts';
import type { Scope } from '../world.ts';

/**
 * `GET /buy/:id`: opens a checkout session of the link and leads to its page. The query may have `client_reference_id`,
 * `prefilled_email`, `locked_prefilled_email` and `prefilled_promo_code`;
 * https://docs.stripe.com/payment-links/url-parameters.
 */
export function visitLink(scope: Scope, id: string, query: URLSearchParams): Response {
  const link = scope.state.paymentLinks.get(id);
  if (!link) return notice(404, 'No such link', 'Check the link: there is nothing to buy here.', null);
  if (!link.active) return inactive(link.inactive_message);
  try {
    return seeOther(openSession(scope, link, query).url ?? '');
  } catch (error) {
    if (error instanceof ApiError) return inactive(error.message);
    throw error;
  }
}

/** Counts a completed session; a link that has reached its limit becomes inactive. */
export function countCompletion(scope: Scope, session: CheckoutSession): void {
  const link = scope.state.paymentLinks.get(session.payment_link ?? '');
  const sessions = link?.restrictions?.completed_sessions;
  if (!link || !sessions) return;
  const count = sessions.count + 1;
  update(scope, 'payment_link.updated', link, {
    active: link.active && count < sessions.limit,
    restrictions: { completed_sessions: { ...sessions, count } },
  });
}

/** The session of a visitor. Throws the same errors as creating a session. */
export function openSession(scope: Scope, link: PaymentLink, query: URLSearchParams): CheckoutSession {
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const session = createSession(scope, {
    ...sessionParams(scope, link),
    client_reference_id: given('client_reference_id'),
    customer_email: given('locked_prefilled_email'),
  });
  const details = scope.state.checkoutDetails.get(session.id);
  if (!details) return session;
  const code = findCode(scope.state, given('prefilled_promo_code') ?? '', session.customer);
  const redeemed = code && link.allow_promotion_codes && isUsable(scope, code.id);
  const opened = saveCheckout(scope, {
    session: {
      ...session,
      payment_link: link.id,
      ...(redeemed && { discounts: [{ coupon: null, promotion_code: code.id }] }),
    },
    details: { ...details, prefilledEmail: given('prefilled_email') ?? null },
  });
  return opened.session;
}

function isUsable(scope: Scope, code: string): boolean {
  try {
    couponFor(scope, { promotion_code: code }, { customer: null, param: 'discounts' });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** The parameters of the link's sessions. They are read like those of a request. */
function sessionParams({ state }: Scope, link: PaymentLink): SessionParams {
  const items = state.linkItems.get(link.id)?.lineItems ?? [];
  const single = link.subscription_data === null;
  return fields(
    sessionFields,
    formOf({
      mode: single ? 'payment' : 'subscription',
      line_items: items.map(({ adjustable_quantity: adjustable, price, quantity }) => ({
        adjustable_quantity: adjustable,
        price: price.id,
        quantity,
      })),
      allow_promotion_codes: link.allow_promotion_codes,
      automatic_tax: { enabled: link.automatic_tax.enabled },
      currency: link.currency,
      billing_address_collection: link.billing_address_collection,
      metadata: link.metadata,
      submit_type: link.submit_type,
      success_url: link.after_completion.redirect?.url,
      tax_id_collection: link.tax_id_collection,
      ...(single ? paymentParams(link) : subscriptionParams(link)),
    }),
  );
}

const sessionFields = { ...createParams, success_url: webUrl() };

function paymentParams(link: PaymentLink): object {
  const { enabled, invoice_data: invoice } = link.invoice_creation ?? {};
  const payment = link.payment_intent_data;
  return {
    customer_creation: link.customer_creation,
    invoice_creation: {
      enabled,
      invoice_data: {
        description: invoice?.description,
        footer: invoice?.footer,
        metadata: invoice?.metadata,
      },
    },
    payment_intent_data: {
      description: payment?.description,
      metadata: payment?.metadata,
      setup_future_usage: payment?.setup_future_usage,
      statement_descriptor: payment?.statement_descriptor,
    },
  };
}

function subscriptionParams(link: PaymentLink): object {
  const data = link.subscription_data;
  return {
    payment_method_collection: link.payment_method_collection,
    subscription_data: {
      description: data?.description,
      metadata: data?.metadata,
      trial_period_days: data?.trial_period_days,
      trial_settings: data?.trial_settings,
    },
  };
}

function inactive(message: string | null): Response {
  return notice(410, 'This link is not active', message ?? 'The link is no longer active.', null);
}
