import type { Transport } from './transport.ts';
import type {
  Abortable,
  CancelReason,
  ChangePreview,
  Interval,
  Invoice,
  Page,
  Subscription,
} from './types.ts';

/** The caller's own subscription, or that of a team. */
export interface OfTeam extends Abortable {
  /** Id of the team; the caller's own by default. */
  team?: string;
}

/** A change of plan. */
export interface PlanChange {
  /** Slug of the new plan. */
  plan: string;
  /** `month` by default, or `year` if the plan has no monthly price. */
  interval?: Interval;
  /** `now` by default: the difference is charged or credited immediately. */
  when?: 'now' | 'period_end';
}

/** A change of an add-on. */
export interface AddOnChange {
  /** Slug of the add-on. */
  addOn: string;
  /** The units afterwards. 0 removes the add-on. */
  quantity: number;
}

/** Manages a running subscription without Stripe's portal. */
export class SubscriptionApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @throws HearthError `subscription_not_found` without a running subscription */
  get({ team, signal }: OfTeam = {}): Promise<Subscription> {
    return this.#transport.request('get', '/api/auth/subscription', { query: { team }, signal });
  }

  /** The invoice that a change would make. Changes nothing. */
  preview(change: PlanChange, { team, signal }: OfTeam = {}): Promise<ChangePreview> {
    return this.#transport.request('post', '/api/auth/subscription/preview', {
      body: { ...withDefaults(change), ...teamOf(team) },
      signal,
    });
  }

  /**
   * Changes the plan. If the answer has a `payment`, the change waits for that invoice to be paid.
   *
   * @param options.prorationDate of a preview of the last five minutes, so that the amount stays the same
   * @throws HearthError `preview_expired` if the preview is older, or the subscription has changed since;
   *   `change_not_plannable` if the change is only possible now; `invoice_unpaid` if an invoice must be paid first,
   *   or while it is paid by bank debit;
   *   `payment_failed` if the plan has a price by usage, and the payment fails
   */
  change(
    change: PlanChange,
    { team, signal, prorationDate }: OfTeam & { prorationDate?: number | null } = {},
  ): Promise<Subscription> {
    return this.#transport.request('post', '/api/auth/subscription/change', {
      body: {
        ...withDefaults(change),
        ...teamOf(team),
        ...(typeof prorationDate === 'number' && { prorationDate }),
      },
      signal,
    });
  }

  /** The invoice that a change of an add-on would make. Changes nothing. */
  previewAddOn(change: AddOnChange, { team, signal }: OfTeam = {}): Promise<ChangePreview> {
    return this.#transport.request('post', '/api/auth/subscription/add-ons/preview', {
      body: { ...change, ...teamOf(team) },
      signal,
    });
  }

  /**
   * Sets the units of an add-on immediately. If the answer has a `payment`, the change waits for that invoice to be
   * paid.
   *
   * @param options.prorationDate of a preview of the last five minutes, so that the amount stays the same
   * @throws HearthError `preview_expired` if the preview is older, or the subscription has changed since;
   *   `payment_failed` if the plan has a price by usage, and the payment fails
   */
  setAddOn(
    change: AddOnChange,
    { team, signal, prorationDate }: OfTeam & { prorationDate?: number | null } = {},
  ): Promise<Subscription> {
    return this.#transport.request('post', '/api/auth/subscription/add-ons', {
      body: {
        ...change,
        ...teamOf(team),
        ...(typeof prorationDate === 'number' && { prorationDate }),
      },
      signal,
    });
  }

  /** Ends the subscription at the end of the paid period. */
  cancel(
    cancellation: { reason?: CancelReason; comment?: string } = {},
    { team, signal }: OfTeam = {},
  ): Promise<Subscription> {
    return this.#transport.request('post', '/api/auth/subscription/cancel', {
      body: { ...cancellation, ...teamOf(team) },
      signal,
    });
  }

  /** Takes back a cancellation, and discards a planned change of plan. */
  resume({ team, signal }: OfTeam = {}): Promise<Subscription> {
    return this.#transport.request('post', '/api/auth/subscription/resume', { body: teamOf(team), signal });
  }

  /** Latest first. */
  async invoices({ team, signal, cursor }: OfTeam & { cursor?: string } = {}): Promise<Page<Invoice>> {
    const { invoices, nextCursor } = await this.#transport.request('get', '/api/auth/invoices', {
      query: { team, cursor },
      signal,
    });
    return { items: invoices, nextCursor };
  }
}

function withDefaults({ when = 'now', ...change }: PlanChange): PlanChange & { when: 'now' | 'period_end' } {
  return { ...change, when };
}

function teamOf(team: string | undefined): { team?: string } {
  return team === undefined ? {} : { team };
}
