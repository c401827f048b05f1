import { createHmac, randomBytes } from 'node:crypto';
import type { Firestore } from 'firebase-admin/firestore';
import { transact } from './transaction.ts';

/** `keys/hashes`: the random key of all keyed hashes. Made on first need, and never changed. */
interface HashKey {
  /** 32 random bytes, in base64url. */
  key: string;
  createdAt: Date;
}

const KEY_PATH = 'keys/hashes';

/** Keeps the hashes of one purpose apart from those of another. */
type Purpose = 'user' | 'trial';

/** Hashes a text under our key, so that nobody without the key can find out the text by trying. */
export type KeyedHash = (purpose: Purpose, text: string) => string;

/** Reads one document; the first call of all writes it. */
export async function openKeyedHash(firestore: Firestore, now: Date): Promise<KeyedHash> {
  const ref = firestore.doc(KEY_PATH);
  const stored = (await ref.get()).data() as HashKey | undefined;
  const key = Buffer.from(stored?.key ?? (await makeKey(firestore, now)), 'base64url');
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');
}

/** Of several first calls at once, all get the key of the one that commits first. */
async function makeKey(firestore: Firestore, now: Date): Promise<string> {
  const ref = firestore.doc(KEY_PATH);
  return transact(firestore, async (transaction) => {
    const stored = (await transaction.get(ref)).data() as HashKey | undefined;
    if (stored !== undefined) return stored.key;
    const made: HashKey = { key: randomBytes(32).toString('base64url'), createdAt: now };
    transaction.create(ref, made);
    return made.key;
  });
}

/**
 * Stands for a deleted user in what others keep, such as a team's history. The same user has the same pseudonym
 * everywhere; no uid contains a colon that Firebase Auth has made.
 */
export function pseudonymOf(hash: KeyedHash, uid: string): string {
  return `deleted:${hash('user', uid).slice(0, 22)}`;
}
