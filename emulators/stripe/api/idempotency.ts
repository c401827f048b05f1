import { createHash } from 'node:crypto';
import type { StoredAnswer } from '../hidden-records.ts';
import type { World } from '../world.ts';
import { idempotencyInProgress, idempotencyMismatch } from './errors.ts';

const LIFETIME = 24 * 60 * 60;

/** The answer of an execution: its status and its JSON text. */
export interface Answer {
  status: number;
  body: string;
  /** Whether an idempotency key replays it; validation errors are not kept, since nothing was executed. */
  final: boolean;
}

/**
 * Stripe's idempotent requests (https://docs.stripe.com/api/idempotent_requests): the first answer to a key is kept for
 * 24 hours and replayed for the same request; another request with that key is refused, and so is one that comes while
 * the first is still in progress.
 */
export class IdempotencyKeys {
  readonly #inProgress = new Set<string>();

  /** Runs `execute` at most once for a key; `replayed` means that the answer was stored before. */
  async once(
    world: World,
    key: string | null,
    request: string,
    execute: () => Promise<Answer>,
  ): Promise<Answer & { replayed: boolean }> {
    if (key === null) return { ...(await execute()), replayed: false };
    if (this.#inProgress.has(key)) throw idempotencyInProgress(key);
    const fingerprint = createHash('sha256').update(request).digest('base64');
    const kept = recall(world, key);
    if (kept && kept.fingerprint !== fingerprint) throw idempotencyMismatch(key);
    if (kept) return { status: kept.status, body: kept.body, final: true, replayed: true };

    this.#inProgress.add(key);
    try {
      const answer = await execute();
      if (answer.final) {
        const { status, body } = answer;
        world.state.answers.insert({ id: key, fingerprint, created: world.now(), status, body });
      }
      return { ...answer, replayed: false };
    } finally {
      this.#inProgress.delete(key);
    }
  }
}

function recall({ state, now }: World, key: string): StoredAnswer | undefined {
  const oldest = now() - LIFETIME;
  if (state.answers.some(({ created }) => created <= oldest))
    state.answers.removeWhere(({ created }) => created <= oldest);
  return state.answers.get(key);
}
