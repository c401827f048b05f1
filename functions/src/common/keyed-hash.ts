import { createHmac, randomBytes } from 'node:crypto';
import type { Firestore } from 'firebase-admin/firestore';
import type { Db } from '../firestore/db.ts';
import { transact } from '../firestore/transaction.ts';

/** `keys/hashes`: the random key of all keyed hashes. Made on first need, and never changed. */
interface HashKey {
  /** 32 random bytes, in base64url. */
  key: string;
  createdAt: Date;
}

const KEY_PATH = 'keys/hashes';
const KEY_ID = 'hashes';

/** The same text has a different hash for each purpose. */
type Purpose = 'user' | 'trial';

/** Hashes a text with our key. Without the key nobody can find the text by guessing. */
export type KeyedHash = (purpose: Purpose, text: string) => string;

/** Opens the keyed hash of this project. Reads one document. The very first call creates it. */
export async function openKeyedHash(db: Db, now: Date): Promise<KeyedHash> {
  const stored = (await db.hashKeys.get(KEY_ID)) ?? (await createKey(db, now));
  const key = Buffer.from(stored.key, 'base64url');
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');
}

/** Concurrent first calls all get the key of the call that commits first. */
function createKey(db: Db, now: Date): Promise<{ key: string }> {
  return db.run(async (tx) => {
    const stored = await tx.hashKeys.get(KEY_ID);
    if (stored !== undefined) return stored;
    const created = { key: randomBytes(32).toString('base64url'), createdAt: now };
    tx.hashKeys.create(KEY_ID, created);
    return created;
  });
}

/** Reads one document. The very first call writes it. */
export async function openKeyedHashLegacy(firestore: Firestore, now: Date): Promise<KeyedHash> {
  const ref = firestore.doc(KEY_PATH);
  const stored = (await ref.get()).data() as HashKey | undefined;
  const key = Buffer.from(stored?.key ?? (await makeKey(firestore, now)), 'base64url');
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url');
}

/** Concurrent first calls all get the key of the call that commits first. */
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
 * Replaces a deleted user in the data of others, such as a team's history. A user has the same pseudonym everywhere. No
 * uid of Firebase Auth contains a colon.
 */
export function pseudonymOf(hash: KeyedHash, uid: string): string {
  return `deleted:${hash('user', uid).slice(0, 22)}`;
}
