import { z } from 'zod';
import { ApiError } from '../api/errors.ts';

/**
 * A failure that is ordered for the next matching requests.
 * - `status`: an HTTP status of 400 or more, answered with Stripe's error body; `timeout`: never answered; `drop`: the
 *   connection is closed without an answer; `hold`: waits until released, and is then executed.
 * - `when`: `before` the request is executed; `after`: the work is done and its answer is lost; `during`: the status is
 *   the answer of the execution, and is kept for an idempotency key.
 */
export const faultOrder = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** A path as it is requested, or as it is declared: `/v1/customers/cus_1` or `/v1/customers/:id`. */
  path: z.string().startsWith('/v1/').optional(),
  status: z.union([z.int().min(400).max(599), z.enum(['timeout', 'drop', 'hold'])]),
  times: z.int().min(1).default(1),
  when: z.enum(['before', 'during', 'after']).default('before'),
});

export type FaultOrder = z.infer<typeof faultOrder>;

/** Ends a request without an answer. */
export class DroppedConnection extends Error {
  /** A response that fails before its first byte, upon which the HTTP server closes the connection. */
  response(): Response {
    const broken = new ReadableStream({
      start: (controller) => {
        controller.error(this);
      },
    });
    return new Response(broken);
  }
}

/** A fault that is due for one request. */
export interface Fault {
  /** Injects the fault if it is meant for this point of the request. */
  strike(when: FaultOrder['when']): Promise<void>;
}

interface Waiting {
  order: FaultOrder;
  end: (outcome: 'released' | 'cleared') => void;
}

/** Injects faults on demand, and holds requests until they are released. */
export class Faults {
  #orders: FaultOrder[] = [];
  readonly #waiting = new Set<Waiting>();
  #watchers: (() => void)[] = [];

  order(order: FaultOrder): void {
    this.#orders.push({ ...order });
  }

  /** Forgets all orders; requests that wait are dropped. */
  clear(): void {
    this.#orders = [];
    for (const waiting of this.#waiting) waiting.end('cleared');
  }

  /** Lets the held requests go on. */
  release(): void {
    for (const waiting of this.#waiting) if (waiting.order.status === 'hold') waiting.end('released');
  }

  /** Requests that are held or timing out now. */
  get held(): number {
    return this.#waiting.size;
  }

  /** Resolves once this number of requests wait, or when the caller gives up. */
  async untilHeld(count: number, signal: AbortSignal): Promise<void> {
    while (this.held < count && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#watchers.push(resolve);
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    }
  }

  /** Takes the first order that matches a request; it is used up after its number of times. */
  take(method: string, path: string, route: string): Fault | undefined {
    const order = this.#orders.find(
      (candidate) =>
        (candidate.method === undefined || candidate.method === method) &&
        (candidate.path === undefined || candidate.path === path || candidate.path === route),
    );
    if (!order) return undefined;
    order.times -= 1;
    if (order.times === 0) this.#orders.splice(this.#orders.indexOf(order), 1);
    return { strike: (when) => (when === order.when ? this.#strike(order) : Promise.resolve()) };
  }

  async #strike(order: FaultOrder): Promise<void> {
    if (typeof order.status === 'number') throw injectedError(order.status);
    if (order.status === 'drop') throw new DroppedConnection('Dropped on order');
    if ((await this.#wait(order)) === 'cleared')
      throw new DroppedConnection('Dropped when the faults were cleared');
  }

  #wait(order: FaultOrder): Promise<'released' | 'cleared'> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        order,
        end: (outcome) => {
          this.#waiting.delete(waiting);
          resolve(outcome);
        },
      };
      this.#waiting.add(waiting);
      for (const notify of this.#watchers.splice(0)) notify();
    });
  }
}

function injectedError(status: number): ApiError {
  const message = `Failed on order with status ${status}.`;
  return status === 429
    ? new ApiError(status, { type: 'rate_limit_error', code: 'rate_limit', message })
    : new ApiError(status, { type: 'api_error', message });
}
