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
