import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '../firestore/db.ts';

const KEY_ID = 'hashes';

/** The same text has a different hash for each purpose. */
type Purpose = 'user' | 'trial' | 'return' | 'deletion';

/** Makes the keyed hash of a text: with the key of this project, so that the text cannot be found by guessing. */
export type HashFunction = (purpose: Purpose, text: string) => string;

/**
 * The hash function of this project. Reads the document with its key; the first call ever creates this document.
 *
 * @throws DamagedDocument if the stored key is damaged
 */
export async function loadHashFunction(db: Db, now: Date): Promise<HashFunction> {
  return hashWith((await db.hashKeys.get(KEY_ID)) ?? (await createKey(db, now)));
}

/** @returns undefined if the project has no key, and therefore nothing was ever stored under a hash */
export async function findHashFunction(db: Db): Promise<HashFunction | undefined> {
  const stored = await db.hashKeys.get(KEY_ID);
  return stored && hashWith(stored);
}

function hashWith(stored: { key: string }): HashFunction {
  const key = Buffer.from(stored.key, 'base64url');
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');
}

function createKey(db: Db, now: Date): Promise<{ key: string }> {
  return db.run(async (tx) => {
    const stored = await tx.hashKeys.get(KEY_ID);
    if (stored !== undefined) return stored;
    const created = { key: randomBytes(32).toString('base64url'), createdAt: now };
    tx.hashKeys.create(KEY_ID, created);
    return created;
  });
}

/**
 * Replaces a deleted user in the data of others, such as the audit log. A pseudonym is never equal to a uid that
 * Firebase makes, because such a uid has no colon.
 */
export function pseudonymOf(hash: HashFunction, uid: string): string {
  return `deleted:${hash('user', uid).slice(0, 22)}`;
}
