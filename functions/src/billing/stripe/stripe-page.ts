/** A page of Stripe that a browser is sent to. */
export interface StripePage {
  url: string;
  /** Id of the checkout session, portal session or invoice. */
  id: string;
}
