import { isDeepStrictEqual } from 'node:util';
import { cartSchema, type Cart, type StoredCheckout } from '../../../firestore/documents/checkout.ts';
import { withoutProof } from '../redirects/return-url.ts';

/**
 * True if the checkout is for this cart. The return URLs of a cart have a proof (`makeReturnProof`), which changes
 * every day:
 *
 * - An open session keeps its proof. So with a session, the carts are compared without their proofs.
 * - A session that will be created needs the proof of today. So without a session, the whole carts are compared: a cart
 *   with the proof of yesterday is another cart.
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
