/** A field of Stripe that names another object: the id, or the object itself if the field was expanded. */
export type StripeReference = string | { id: string };

export function idOf(reference: StripeReference): string {
  return typeof reference === 'string' ? reference : reference.id;
}

export function dashboardLink(
  kind: 'customers' | 'subscriptions',
  { id, livemode }: { id: string; livemode: boolean },
): string {
  return `https://dashboard.stripe.com${livemode ? '' : '/test'}/${kind}/${id}`;
}

/** True for the id of a checkout session of live mode. Stripe never forgets it: see `isLinkOfLiveMode`. */
export function isSessionOfLiveMode(sessionId: string): boolean {
  return sessionId.startsWith('cs_live_');
}

/**
 * True for an object of live mode. Stripe never forgets such an object: a deleted customer is answered with `deleted`,
 * and a subscription that has ended with `canceled`. If Stripe does not know the object, the secret key is of test mode
 * or of another account.
 *
 * @param link from `dashboardLink`, or from the Stripe extension
 */
export function isLinkOfLiveMode(link: string | undefined): boolean {
  return link !== undefined && !link.includes('/test/');
}
