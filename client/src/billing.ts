import type { Transport } from './transport.ts';
import type { Abortable, Plan } from './types.ts';

/** Plans, and pages to open, not to fetch: they lead to Stripe. */
export class BillingApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** From least to most; the first one is free. */
  async plans(options: Abortable = {}): Promise<Plan[]> {
    return (await this.#transport.request('get', '/api/auth/plans', options)).plans;
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
