import { createHash } from 'node:crypto';
import type { CreditEntry } from '../../../firestore/documents/credits.ts';

/** The id of the entry for a change. The key may be any text, so the id has its hash. */
export function entryIdOf(kind: CreditEntry['kind'], key: string): string {
  return `${kind}-${createHash('sha256').update(key).digest('base64url')}`;
}
