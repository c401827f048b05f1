/** A field of Stripe's that names another object: by its id or, if it was expanded, by the object itself. */
export type StripeReference = string | { id: string };

/** The id of the object that a field of Stripe's names. */
export function idOf(reference: StripeReference): string {
  return typeof reference === 'string' ? reference : reference.id;
}

/** A page of Stripe's dashboard. */
export function dashboardLink(
  kind: 'customers' | 'subscriptions',
  { id, livemode }: { id: string; livemode: boolean },
): string {
  return `https://dashboard.stripe.com${livemode ? '' : '/test'}/${kind}/${id}`;
}
