import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';

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
 * As long as the keys are valid, an unknown key id leads to a fetch at most once in this time, because anybody can send
 * made-up key ids.
 */
const REFETCH_PAUSE_MS = 10_000;

/** Used if the answer names no time. */
const DEFAULT_MAX_AGE_SECONDS = 300;

/** The shortest lifetime of the keys. Without it, an `Age` above `max-age` would make every request fetch the keys. */
const MIN_LIFE_SECONDS = 60;

const FETCH_TIMEOUT_MS = 5_000;

const certificatesSchema = z.record(z.string(), z.string());

/**
 * Keeps Google's public keys in memory for as long as `Cache-Control` of Google's answer allows, but at least for
 * `MIN_LIFE_SECONDS`.
 *
 * @returns a function that rejects if the keys cannot be fetched
 */
export function publicKeys({ url, fetch, clock }: KeyOptions): FindKey {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let expiresAt = -Infinity;
  let askedAt = -Infinity;
  let underWay: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`Fetching Google's public keys failed with ${response.status}.`);
    const certificates = Object.entries(certificatesSchema.parse(await response.json()));
    keys = new Map(certificates.map(([id, pem]) => [id, createPublicKey(pem)]));
    expiresAt = askedAt + Math.max(maxAgeOf(response.headers), MIN_LIFE_SECONDS) * 1000;
  }

  function refreshOnce(): Promise<void> {
    if (underWay !== undefined) return underWay;
    askedAt = clock();
    underWay = refresh().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  return async (keyId) => {
    const isExpired = clock() >= expiresAt;
    // A fetch that is under way may bring the key.
    const mayFindKey = underWay !== undefined || clock() - askedAt >= REFETCH_PAUSE_MS;
    if (isExpired || (!keys.has(keyId) && mayFindKey)) await refreshOnce();
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
