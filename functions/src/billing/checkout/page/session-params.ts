import type Stripe from 'stripe';
import type { StoredCheckout } from '../../../firestore/documents/checkout.ts';
import type { Config } from '../../../settings/config.ts';
import {
  BUYER_METADATA_FIELD,
  SUBJECT_METADATA_FIELD,
  withTeamQuery,
  type SubjectKey,
} from '../../subject.ts';
import { REPLACES } from '../../subscriptions/overlap/overlap.ts';
import { toStripeItem } from '../../subscriptions/wanted-items/item-changes.ts';
import { stripeReturnUrlForBrowser } from '../redirects/return-url.ts';
import type { PreparedCheckout } from './checkout-shapes.ts';

/**
 * The parameters of the checkout session for a plan. Stripe requires the same parameters for a repeated idempotency
 * key. Therefore the people are those of the stored checkout, not those of the request.
 */
export function sessionParams(
  config: Config,
  { subject, plan, stripeCustomerId }: Pick<PreparedCheckout, 'subject' | 'plan' | 'stripeCustomerId'>,
  stored: StoredCheckout,
): Stripe.Checkout.SessionCreateParams {
  const { priceId, quantity, furtherItems = [], replaces } = stored;
  const metadata = {
    ...subjectMetadata(subject, stored),
    plan: plan.slug,
    ...(replaces && { [REPLACES]: replaces.join(' ') }),
  };
  return {
    mode: 'subscription',
    customer: stripeCustomerId,
    client_reference_id: subject.customerId,
    line_items: [{ price: priceId, quantity }, ...furtherItems.map(toStripeItem)],
    metadata,
    subscription_data: { metadata, ...trialParams(config, stored) },
    ...(hasTrialWithoutCard(config, stored) && { payment_method_collection: 'if_required' }),
    ...(stored.currency !== undefined && { currency: stored.currency }),
    ...promotionParams(config, stored),
    ...configuredParams(config),
    success_url: stored.stripeReturnUrls?.success ?? stripeReturnUrlForBrowser(config),
    cancel_url:
      stored.stripeReturnUrls?.cancel ?? config.appUrl + withTeamQuery(config.checkoutCancelPath, subject),
  };
}

/** For a team also names the people who share its trial: the responsible owner and the buyer. */
function subjectMetadata(
  { type, customerId }: SubjectKey,
  { ownerId, buyerId }: Pick<StoredCheckout, 'ownerId' | 'buyerId'>,
): Record<string, string> {
  return type === 'user'
    ? { [SUBJECT_METADATA_FIELD.user]: customerId }
    : { [SUBJECT_METADATA_FIELD.team]: customerId, ownerId, [BUYER_METADATA_FIELD]: buyerId };
}

/** The setting says what Stripe does at the end of a trial without a card; with `off`, a trial needs a card. */
function hasTrialWithoutCard({ trialWithoutCard }: Config, { trialDays }: StoredCheckout): boolean {
  return trialDays > 0 && trialWithoutCard !== 'off';
}

/** https://docs.stripe.com/payments/checkout/free-trials */
function trialParams(
  config: Config,
  stored: StoredCheckout,
): Pick<Stripe.Checkout.SessionCreateParams.SubscriptionData, 'trial_period_days' | 'trial_settings'> {
  const { trialWithoutCard } = config;
  if (stored.trialDays === 0) return {};
  return {
    trial_period_days: stored.trialDays,
    ...(trialWithoutCard !== 'off' && {
      trial_settings: { end_behavior: { missing_payment_method: trialWithoutCard } },
    }),
  };
}

/** Stripe accepts either a code or a field for entering a code. */
export function promotionParams(
  { promotionCodes }: Config,
  { promotionCodeId }: { promotionCodeId?: string | undefined },
): Pick<Stripe.Checkout.SessionCreateParams, 'discounts' | 'allow_promotion_codes'> {
  if (promotionCodeId !== undefined) return { discounts: [{ promotion_code: promotionCodeId }] };
  return promotionCodes ? { allow_promotion_codes: true } : {};
}

/** The parameters for taxes and addresses by the settings, for a plan and for a one-time purchase. */
export function configuredParams(config: Config): Partial<Stripe.Checkout.SessionCreateParams> {
  const { automaticTax, taxIdCollection } = config;
  const savesAddress = automaticTax || config.collectAddress;
  // Without a tax ID on the invoice, a business cannot deduct the tax.
  const collectsTaxId = automaticTax || taxIdCollection;
  return {
    ...(automaticTax && { automatic_tax: { enabled: true } }),
    ...(config.collectAddress && { billing_address_collection: 'required' }),
    ...(collectsTaxId && { tax_id_collection: { enabled: true } }),
    ...((savesAddress || collectsTaxId) && {
      customer_update: {
        ...(savesAddress && { address: 'auto' }),
        // Required by Stripe for a tax ID: the name on the invoice is that of the business.
        ...(collectsTaxId && { name: 'auto' }),
      },
    }),
  };
}
