import type { Transport } from './transport.ts';
import type { Abortable, Extras, Plan, Usage } from './types.ts';

interface PageOptions extends Abortable {
  team?: string;
  returnUrl?: string;
}

interface Choice {
  /** Default: `month`, or `year` if the plan has no monthly price. */
  interval?: 'month' | 'year';
  /** One of the currencies of the price, such as `eur`. */
  currency?: string;
  /** A promotion code. */
  code?: string;
}

/** Lists plans, and builds URLs of Stripe pages. Open these URLs in the browser; `fetch` does not work with them. */
export class BillingApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** From least to most; the first one is free. */
  async plans(options: Abortable = {}): Promise<Plan[]> {
    return (await this.#transport.request('get', '/api/auth/plans', options)).plans;
  }

  /** Everything that is sold besides the plans, such as credit packs. */
  extras(options: Abortable = {}): Promise<Extras> {
    return this.#transport.request('get', '/api/auth/extras', options);
  }

  /**
   * The URL of the page for a one-time purchase of a plan or of credits.
   *
   * @param order the slug of a plan or credit pack, how many packs, and the team unless it is for the caller
   */
  async purchase(
    order: { item: string; quantity?: number; team?: string; returnUrl?: string },
    options: Abortable = {},
  ): Promise<string> {
    const body = { quantity: 1, ...order };
    return (await this.#transport.request('post', '/api/auth/purchases', { ...options, body })).url;
  }

  /** The usage of each meter by the caller, or a team, within the current period. */
  usage({ team, signal }: { team?: string } & Abortable = {}): Promise<Usage> {
    return this.#transport.request('get', '/api/usage', { query: { team }, signal });
  }

  /**
   * Reports usage of a meter that is open to clients.
   *
   * @param report.value a whole number of units
   * @param report.key names the report, so that it counts once. Repeat a call that failed with the same key.
   * @returns whether the key was used before
   */
  async reportUsage(
    report: { meter: string; value: number; key: string; team?: string },
    options: Abortable = {},
  ): Promise<boolean> {
    return (await this.#transport.request('post', '/api/usage', { ...options, body: report })).isRepeated;
  }

  /**
   * @param plan a slug
   * @param options.team the team that buys; the caller unless given
   */
  checkoutUrl(plan: string, options: { team?: string } & Choice = {}): string {
    return this.#transport.url(`/api/auth/checkout/${encodeURIComponent(plan)}`, { ...options });
  }

  portalUrl(options: { team?: string } = {}): string {
    return this.#transport.url('/api/auth/portal', options);
  }

  /**
   * The URL of the page where a plan is bought, for clients without the session cookie, such as apps. Open it in a
   * browser. It leads back to `returnUrl`, with `checkout=success`, `pending` or `cancelled` in the query.
   *
   * @param plan a slug
   * @param options.returnUrl a URL on the backend's own origins, or allowed by its setting RETURN_URLS
   * @param options.addOns units of add-ons by their slugs, bought with the plan
   */
  async checkout(
    plan: string,
    { signal, ...body }: PageOptions & Choice & { addOns?: Record<string, number> } = {},
  ): Promise<string> {
    const carried = { body: { plan, ...body }, ...(signal && { signal }) };
    return (await this.#transport.request('post', '/api/auth/checkout', carried)).url;
  }

  /**
   * The URL of the customer portal, for clients without the session cookie. It leads back with `portal=done`.
   *
   * @param options.flow `payment_method` opens the form that changes the card
   */
  async portal({ signal, ...body }: PageOptions & { flow?: 'payment_method' } = {}): Promise<string> {
    return (await this.#transport.request('post', '/api/auth/portal', { body, ...(signal && { signal }) }))
      .url;
  }
}
