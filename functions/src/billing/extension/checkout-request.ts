import * as z from 'zod';
import { isOwnOrigin } from '../../http/origin.ts';
import { refuse } from '../../refusals.ts';
import type { Config } from '../../settings/config.ts';
import type { ReturnUrls } from '../checkout/purchase.ts';

/** The purchase that a client of the Stripe extension wants to begin, and where it returns to. */
export interface CheckoutRequest {
  priceId: string;
  returnUrls: ReturnUrls;
}

const QUANTITY = 'quantity must be 1, or left out.';

const itemSchema = z.object({
  price: z.string('line_items need a price.'),
  quantity: z.literal(1, QUANTITY).default(1),
});

/**
 * The fields that decide what is bought. Settings decide everything else, such as trial days, taxes and the address, so that
 * no client can give itself a trial.
 */
const requestSchema = z.object({
  client: z.literal('web', 'client must be web.').default('web'),
  mode: z.literal('subscription', 'mode must be subscription.').default('subscription'),
  price: z.string('price must be the id of a price.').optional(),
  quantity: z.literal(1, QUANTITY).default(1),
  line_items: z
    .array(itemSchema, 'line_items must be a list.')
    .length(1, 'line_items must have one item.')
    .optional(),
  promotion_code: z
    .null('promotion_code is not supported. The customer enters a code on the checkout page.')
    .optional(),
  success_url: z.string('success_url must be an address of this app.'),
  cancel_url: z.string('cancel_url must be an address of this app.'),
});

/**
 * Reads the fields of a document in `checkout_sessions`.
 *
 * @throws Refusal `invalid_request` with the first problem
 */
export function readCheckoutRequest(config: Config, data: object): CheckoutRequest {
  const { success, data: request, error } = requestSchema.safeParse(data);
  if (!success) throw invalid(error.issues[0]?.message ?? 'The document is not valid.');
  const priceId = request.line_items?.[0]?.price ?? request.price;
  if (priceId === undefined) throw invalid('price must be the id of a price.');
  const returnUrls = {
    success: requireOwnUrl(config, 'success_url', request.success_url),
    cancel: requireOwnUrl(config, 'cancel_url', request.cancel_url),
  };
  return { priceId, returnUrls };
}

/**
 * Requires an address of this app, because Stripe's page sends the customer there. It is written as browsers write it, so that
 * every parser reads the same host.
 */
function requireOwnUrl(config: Config, field: string, address: string): string {
  const origin = /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/.exec(address)?.[0];
  const isSafe = isOwnOrigin(config, origin) && URL.canParse(address) && !/[\s\\\p{Cc}]/u.test(address);
  if (!isSafe) throw invalid(`${field} must be an address of this app, such as ${config.appUrl}/account.`);
  return address;
}

function invalid(reason: string) {
  return refuse('invalid_request', { reason });
}
