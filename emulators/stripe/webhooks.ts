import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventToJson } from './api/rendering.ts';
import type { Event } from './events.ts';

/** Where events go, and the secret that signs them. */
export interface WebhookEndpoint {
  url: string;
  secret: string;
}

/** The history of one event at one endpoint. */
export interface Delivery {
  event: string;
  type: string;
  url: string;
  /** The HTTP status of each attempt, or why there was none. */
  attempts: (number | string)[];
  delivered: boolean;
}

/** The treatment of events: sent immediately, held until the mode changes, or dropped. */
export const DELIVERY_MODES = ['send', 'hold', 'drop'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

/** Waits before the second, third … attempt, in milliseconds. Stripe retries for days. */
export const RETRY_DELAYS: readonly number[] = [1_000, 5_000, 20_000];
const TIMEOUT = 30_000;
const KEPT = 1000;

/**
 * Delivers signed events (https://docs.stripe.com/webhooks). Each endpoint gets one request at a time, in the order of
 * events; a failed one is tried again after a while, without holding up the others.
 */
export class Webhooks {
  readonly endpoints: readonly WebhookEndpoint[];
  /** The endpoints that were made through the API and want an event. */
  registered: (event: Event) => readonly WebhookEndpoint[] = () => [];
  /** Called when an endpoint has accepted an event. */
  onDelivered: (event: Event) => void = () => undefined;
  readonly #delays: readonly number[];
  readonly #pending = new Set<Promise<void>>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #deliveries: Delivery[] = [];
  #held: Event[] = [];
  #mode: DeliveryMode = 'send';
  #stop = new AbortController();

  constructor(endpoints: readonly WebhookEndpoint[], delays: readonly number[] = RETRY_DELAYS) {
    this.endpoints = endpoints;
    this.#delays = delays;
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  get mode(): DeliveryMode {
    return this.#mode;
  }

  /** The events that wait to be sent. */
  get held(): readonly Event[] {
    return this.#held;
  }

  /** Events are sent, held or dropped from now on. Events held until now are sent or dropped as well. */
  set mode(mode: DeliveryMode) {
    this.#mode = mode;
    if (mode === 'hold') return;
    for (const event of this.#held.splice(0)) this.deliver(event);
  }

  /** Sends, holds or drops an event, depending on the mode. Does not wait and does not throw. */
  deliver(event: Event): void {
    if (this.#mode === 'hold') this.#held.push(event);
    else if (this.#mode === 'send') void this.send(event);
  }

  /** Sends an event to every endpoint, whatever the mode is; resolves when it is delivered or given up. */
  async send(event: Event): Promise<void> {
    const payload = eventToJson(event);
    const sent = [...this.endpoints, ...this.registered(event)].map((endpoint) => {
      const pending = this.#deliverTo(endpoint, event, payload, this.#stop.signal).finally(() => {
        this.#pending.delete(pending);
      });
      this.#pending.add(pending);
      return pending;
    });
    await Promise.all(sent);
  }

  /** Resolves when nothing is being delivered or waiting for its next attempt; held events do not count. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Gives up everything that is under way, and forgets the history. */
  reset(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#deliveries.length = 0;
    this.#held = [];
    this.#mode = 'send';
  }

  async #deliverTo(
    endpoint: WebhookEndpoint,
    event: Event,
    payload: string,
    signal: AbortSignal,
  ): Promise<void> {
    const delivery: Delivery = {
      event: event.id,
      type: event.type,
      url: endpoint.url,
      attempts: [],
      delivered: false,
    };
    this.#deliveries.push(delivery);
    if (this.#deliveries.length > KEPT) this.#deliveries.shift();
    for (const delay of [0, ...this.#delays]) {
      if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const outcome = await this.#inTurn(endpoint, () => post(endpoint, payload, signal));
      delivery.attempts.push(outcome);
      delivery.delivered = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
      if (delivery.delivered) {
        this.onDelivered(event);
        return;
      }
    }
  }

  #inTurn<T>({ url }: WebhookEndpoint, task: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(url) ?? Promise.resolve()).then(task);
    this.#turns.set(url, turn);
    return turn;
  }
}

/** Posts a payload; a redirect is a failure, as for Stripe. Answers the status, or why there is none. */
async function post(
  endpoint: WebhookEndpoint,
  payload: string,
  signal: AbortSignal,
): Promise<number | string> {
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature(payload, endpoint.secret, Date.now()),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return reason instanceof Error ? reason.message || reason.name : String(reason);
  }
}

/**
 * The Stripe-Signature header (https://docs.stripe.com/webhooks#verify-manually): HMAC-SHA256 over
 * `<seconds>.<payload>`. It takes the real time even when the emulator's clock is set, since receivers refuse
 * signatures that are not recent.
 * @param milliseconds time since 1970
 */
export function signature(payload: string, secret: string, milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
