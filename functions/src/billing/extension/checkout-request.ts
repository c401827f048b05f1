import * as z from 'zod';
import { isOwnOrigin } from '../../common/own-origin.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import { isAppPageUrlAllowed, type StripeReturnUrls } from '../checkout/redirects/return-url.ts';

/** A purchase that a client of the Stripe extension wants to begin. */
export interface CheckoutRequest {
  mode: 'subscription' | 'payment';
  priceId: string;
  quantity: number;
  /** Id of a promotion code at Stripe. */
  promotionCodeId?: string;
  stripeReturnUrls: StripeReturnUrls;
}

const QUANTITY = 'quantity must be a number from 1 to 100.';
const quantitySchema = z.int(QUANTITY).min(1, QUANTITY).max(100, QUANTITY).default(1);

const itemSchema = z.object({ price: z.string('line_items need a price.'), quantity: quantitySchema });

/**
 * The fields that decide what is bought. Everything else follows from the settings, such as trial days and taxes, so
 * that no client can give itself a trial.
 */
const requestSchema = z.object({
  client: z.literal('web', 'client must be web.').default('web'),
  mode: z.enum(['subscription', 'payment'], 'mode must be subscription or payment.').default('subscription'),
  price: z.string('price must be the id of a price.').optional(),
  quantity: quantitySchema,
  line_items: z
    .array(itemSchema, 'line_items must be a list.')
    .length(1, 'line_items must have one item.')
    .optional(),
  promotion_code: z
    .string('promotion_code must be the id of a promotion code.')
    .max(100, 'promotion_code must be the id of a promotion code.')
    .nullish(),
  success_url: z.string('success_url must be a URL of this app.'),
  cancel_url: z.string('cancel_url must be a URL of this app.'),
});

/**
 * Reads the fields of a document in `checkout_sessions`.
 *
 * @throws Refusal `invalid_request` with the first problem that the schema finds; `price_missing`,
 *   `subscription_quantity_invalid`, `page_url_not_own`
 */
export function readCheckoutRequest(config: Config, data: object): CheckoutRequest {
  const { success, data: request, error } = requestSchema.safeParse(data);
  if (!success) throw refusal('invalid_request', { reason: error.issues[0]?.message ?? '' });
  const { mode, line_items: items, promotion_code: promotionCodeId } = request;
  const { price: priceId, quantity } = items?.[0] ?? request;
  if (priceId === undefined) throw refusal('price_missing');
  if (mode === 'subscription' && quantity !== 1) throw refusal('subscription_quantity_invalid');
  const stripeReturnUrls = {
    success: requireOwnUrl(config, 'success_url', request.success_url),
    cancel: requireOwnUrl(config, 'cancel_url', request.cancel_url),
  };
  return {
    mode,
    priceId,
    quantity,
    stripeReturnUrls,
    ...(typeof promotionCodeId === 'string' && { promotionCodeId }),
  };
}

/**
 * Requires a URL of this app or of RETURN_URLS, because Stripe's page redirects the customer to it. Refuses characters
 * that parsers read in different ways, so that every parser finds the same host. Stripe replaces
 * `{CHECKOUT_SESSION_ID}` by the id of the session.
 */
function requireOwnUrl(config: Config, field: string, url: string): string {
  const origin = /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/.exec(url)?.[0];
  const isSafe = URL.canParse(url) && !/[\s\\\p{Cc}]/u.test(url);
  const isOwn = isSafe && isOwnOrigin(config, origin);
  if (isOwn || isAppPageUrlAllowed(config, url.replaceAll('{CHECKOUT_SESSION_ID}', 'id'))) return url;
  throw refusal('page_url_not_own', { field, example: `${config.appUrl}/account` });
}
