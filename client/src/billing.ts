import type { Transport } from './transport.ts';

/** Pages to open, not to fetch: they lead to Stripe. */
export class BillingApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @param plan a slug */
  checkoutUrl(plan: string): string {
    return this.#transport.url(`/api/auth/checkout/${encodeURIComponent(plan)}`);
  }

  portalUrl(): string {
    return this.#transport.url('/api/auth/portal');
  }
}
