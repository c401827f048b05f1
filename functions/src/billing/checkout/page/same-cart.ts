import { isDeepStrictEqual } from 'node:util';
import { cartSchema, type Cart, type StoredCheckout } from '../../../firestore/documents/customer.ts';
import { withoutProof } from '../redirects/return-url.ts';

/**
 * True if the checkout is for this cart. The return URLs of a cart have a proof (`makeReturnProof`), which changes
 * every day. A proof must stay valid as long as the session is open, so a new session needs the proof of today:
 *
 * - Without a session, the whole carts are compared, because the session will be created now.
 * - With a session, the carts are compared without their proofs.
 */
export function isForCart({ sessionId, ...checkout }: StoredCheckout, cart: Cart): boolean {
  // Removes the fields that only a stored checkout has.
  const storedCart = cartSchema.parse(checkout);
  return sessionId === undefined
    ? isDeepStrictEqual(storedCart, cart)
    : isDeepStrictEqual(cartWithoutProof(storedCart), cartWithoutProof(cart));
}

function cartWithoutProof(cart: Cart): Cart {
  const { stripeReturnUrls: urls } = cart;
  return urls === undefined ? cart : { ...cart, stripeReturnUrls: withoutProof(urls) };
}
