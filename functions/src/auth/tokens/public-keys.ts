import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { awaitedLater } from '../../common/awaited-later.ts';

/** Finds the public key with an id; undefined if Google's last answer has no such key. */
export type FindKey = (keyId: string) => Promise<KeyObject | undefined>;

interface KeyOptions {
  /** URL of a JSON object with X.509 certificates by key id. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/**
 * While the keys are valid, an unknown key id causes a fetch at most once in this time, because anybody can send an
 * invented key id. After a failed fetch, the time is `FAILURE_PAUSE_MS` instead.
 */
const REFETCH_PAUSE_MS = 10_000;

/**
 * For this time after a failed fetch, requests that need a fetch fail immediately. Without this pause, every request
 * would wait for a fetch of its own while Google is out of reach.
 */
const FAILURE_PAUSE_MS = 2_000;

/**
 * After this part of their life, the keys are fetched again in the background. So an outage of Google's host harms
 * nobody while the keys are still valid. Expired keys are never used: Google's answer says `must-revalidate`.
 */
const REFRESH_AFTER = 0.75;

/** Used if the answer names no time. */
const DEFAULT_MAX_AGE_SECONDS = 300;

/** The shortest lifetime of the keys. Without it, an `Age` above `max-age` would make every request fetch the keys. */
const MIN_LIFE_SECONDS = 60;

const FETCH_TIMEOUT_MS = 5_000;

const certificatesSchema = z.record(z.string(), z.string());

/**
 * Keeps Google's public keys in memory for as long as `Cache-Control` of Google's answer allows, but at least for
 * `MIN_LIFE_SECONDS`. Fetches them again before they expire.
 *
 * @returns a function that rejects if the keys cannot be fetched
 */
export function publicKeys({ url, fetch, clock }: KeyOptions): FindKey {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let refreshAt = -Infinity;
  let expiresAt = -Infinity;
  let askedAt = -Infinity;
  let underWay: Promise<void> | undefined;
  /** The last fetch, if it has failed. */
  let failed: { readonly promise: Promise<void>; readonly pauseEndsAt: number } | undefined;

  async function refresh(): Promise<void> {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`Fetching Google's public keys failed with ${response.status}.`);
    const certificates = Object.entries(certificatesSchema.parse(await response.json()));
    keys = new Map(certificates.map(([id, pem]) => [id, createPublicKey(pem)]));
    const lifeMs = Math.max(maxAgeOf(response.headers), MIN_LIFE_SECONDS) * 1000;
    refreshAt = askedAt + lifeMs * REFRESH_AFTER;
    expiresAt = askedAt + lifeMs;
    failed = undefined;
  }

  function refreshOnce(): Promise<void> {
    if (underWay !== undefined) return underWay;
    if (failed !== undefined && clock() < failed.pauseEndsAt) return failed.promise;
    askedAt = clock();
    const begun = refresh().finally(() => {
      underWay = undefined;
    });
    begun.catch(() => {
      failed = { promise: begun, pauseEndsAt: clock() + FAILURE_PAUSE_MS };
    });
    underWay = begun;
    return begun;
  }

  const isFetchDue = () => clock() - askedAt >= REFETCH_PAUSE_MS;

  /** The fetch that a request must wait for; undefined if the present keys decide. */
  function neededFetch(keyId: string): Promise<void> | undefined {
    if (clock() >= expiresAt) return refreshOnce();
    if (keys.has(keyId)) return undefined;
    // Google may have newer keys, which a fetch has not delivered. `refreshOnce` joins the fetch that is under way, or
    // repeats the error of the failed one until its pause is over.
    const lacksLatestAnswer = underWay !== undefined || failed !== undefined;
    return lacksLatestAnswer || isFetchDue() ? refreshOnce() : undefined;
  }

  return async (keyId) => {
    const needed = neededFetch(keyId);
    if (needed !== undefined) await needed;
    else if (clock() >= refreshAt && isFetchDue()) void awaitedLater(refreshOnce());
    return keys.get(keyId);
  };
}

/**
 * Seconds for which an answer may be kept, less the time that the answer spent in caches on the way.
 * https://www.rfc-editor.org/rfc/rfc9111#section-4.2
 */
function maxAgeOf(headers: Headers): number {
  const [, maxAge = DEFAULT_MAX_AGE_SECONDS] =
    /\bmax-age=(\d+)/.exec(headers.get('Cache-Control') ?? '') ?? [];
  return Number(maxAge) - (Number(headers.get('Age')) || 0);
}
