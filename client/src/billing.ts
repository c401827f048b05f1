import type { Transport } from './transport.ts';

/** Pages to open, not to fetch: they lead to Stripe. */
export class BillingApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * @param plan a slug
   * @param options for which team it is, where not for the caller, and how often is paid: by the month by default
   */
  checkoutUrl(plan: string, options: { team?: string; interval?: 'month' | 'year' } = {}): string {
    return this.#transport.url(`/api/auth/checkout/${encodeURIComponent(plan)}`, options);
  }

  portalUrl(options: { team?: string } = {}): string {
    return this.#transport.url('/api/auth/portal', options);
  }
}
