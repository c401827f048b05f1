import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseEvent } from '../storage/database.ts';
import type { DocumentChange } from '../storage/document.ts';
import { encodeEvent } from './event.ts';
import type { TriggerEvent } from './event.ts';
import type { Trigger } from './registration.ts';

const FIRST_RETRY_MS = 100;
const MAX_ATTEMPTS = 6;

/**
 * Delivers document changes to functions: at least once while the functions emulator can be reached. Each function
 * gets the changes of a document in the order of the commits. Commits do not wait for deliveries.
 */
export class TriggerDispatcher {
  /** Host and port of the functions emulator; undefined when there is none. */
  readonly #functions: string | undefined;
  readonly #triggers = new Map<string, Trigger>();
  /** The last delivery to a function about a document, which the next one waits for. */
  readonly #deliveries = new Map<string, Promise<void>>();
  readonly #closed = new AbortController();

  constructor(functions: string | undefined) {
    this.#functions = functions;
  }

  /** Replaces an earlier registration under the same key. */
  register(trigger: Trigger): void {
    this.#triggers.set(`${trigger.project}/${trigger.key}`, trigger);
  }

  handle(database: string, { kind, changes, time, author }: DatabaseEvent): void {
    if (kind !== 'commit' || this.#functions === undefined || this.#triggers.size === 0) return;
    for (const trigger of this.#triggers.values()) {
      if (trigger.database !== database) continue;
      for (const change of changes) {
        if (concerns(trigger, change)) this.#deliver(trigger, { change, time, author });
      }
    }
  }

  /** Resolves when every delivery so far has ended. */
  async idle(): Promise<void> {
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries.values());
  }

  /** Discards events that are not yet delivered. */
  close(): void {
    this.#closed.abort();
  }

  #deliver(trigger: Trigger, event: TriggerEvent): void {
    const queue = `${trigger.project}/${trigger.key}/${event.change.path}`;
    const before = this.#deliveries.get(queue) ?? Promise.resolve();
    const delivery = before
      .then(() => this.#post(trigger, event))
      .catch((error: unknown) => {
        if (!this.#closed.signal.aborted) console.error(`Firestore trigger ${trigger.key}:`, error);
      })
      .finally(() => {
        if (this.#deliveries.get(queue) === delivery) this.#deliveries.delete(queue);
      });
    this.#deliveries.set(queue, delivery);
  }

  /** A function that fails is not called again, as in production without `retry`. */
  async #post(trigger: Trigger, event: TriggerEvent): Promise<void> {
    const { headers, body } = encodeEvent(trigger, event);
    const url = `http://${this.#functions ?? ''}/functions/projects/${trigger.project}/triggers/${trigger.key}`;
    const { signal } = this.#closed;
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await fetch(url, { method: 'POST', headers, body, signal });
        await response.arrayBuffer();
        if (!response.ok)
          console.error(`Firestore trigger ${trigger.key} answered ${String(response.status)}.`);
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || signal.aborted) throw error;
        await wait(FIRST_RETRY_MS * 2 ** (attempt - 1), undefined, { signal });
      }
    }
  }
}

function concerns({ kind, pattern }: Trigger, { path, before, after }: DocumentChange): boolean {
  if (!pattern.test(path)) return false;
  if (kind === 'written') return before !== undefined || after !== undefined;
  if (before && after) return kind === 'updated';
  return kind === (after ? 'created' : 'deleted') && (before ?? after) !== undefined;
}
