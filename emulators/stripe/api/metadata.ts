import type { Metadata } from '../objects.ts';
import { InvalidParameter } from './errors.ts';

/**
 * Stripe merges metadata key by key: an empty value removes its key, and null (an empty string on the wire) removes
 * all.
 * https://docs.stripe.com/api/metadata
 */
export function mergeMetadata(
  current: Metadata,
  patch: ReadonlyMap<string, string> | null | undefined,
): Metadata {
  if (patch === undefined) return current;
  if (patch === null) return {};
  const merged = new Map([...Object.entries(current), ...patch]);
  const kept = [...merged].filter(([, value]) => value !== '');
  if (kept.length > 50) throw new InvalidParameter('Metadata can have up to 50 keys', 'metadata');
  return Object.fromEntries(kept);
}
