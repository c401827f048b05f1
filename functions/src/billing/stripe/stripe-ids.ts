/** The id of an object of Stripe, which is either the id itself or, if it was expanded, the object. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}

/** A page of Stripe's dashboard. */
export function dashboardLink(
  kind: 'customers' | 'subscriptions',
  { id, livemode }: { id: string; livemode: boolean },
): string {
  return `https://dashboard.stripe.com${livemode ? '' : '/test'}/${kind}/${id}`;
}
