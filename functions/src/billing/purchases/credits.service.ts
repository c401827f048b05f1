import { createHash, randomUUID } from 'node:crypto';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CreditEntry } from '../../firestore/documents/credits.ts';
import { refusal } from '../../refusals/refusals.ts';

export interface CreditChange {
  /** A uid or the id of a team. */
  customerId: string;
  /** A whole number above zero. */
  amount: number;
  /** Identifies the change, such as the id of the job. A second change of the same kind with this key does nothing. */
  key: string;
  /** The reason of the change, such as `picture`. The customer can read this text. */
  reason: string;
}

export interface CreditBalance {
  /** The balance after the change. For a repeated change, the balance after the first call, which may be outdated. */
  balance: number;
  /** True if a change with this key was made before. */
  isRepeated: boolean;
}

/**
 * Spends credits. Concurrent calls never spend more than the balance. Spend the credits before the work that they pay
 * for.
 *
 *     await spendCredits(backend, { customerId: caller.uid, amount: 5, key: job.id, reason: 'picture' });
 *
 * Reads and writes two documents.
 *
 * @throws Refusal `credits_too_low`; `key_reused` if the key belongs to a change of another amount
 */
export async function spendCredits(backend: Backend, change: CreditChange): Promise<CreditBalance> {
  const callId = randomUUID();
  return backend.db.run((tx) => changeBalance(tx, { ...spending(change), callId }, backend.now()));
}

/**
 * Like `spendCredits`, within a transaction of the calling function. If the answer to the commit is lost, the body runs
 * again and gets `isRepeated`, unless the transaction also creates a document by `createAsProof`.
 */
export async function spendCreditsIn(tx: Tx, change: CreditChange, now: Date): Promise<CreditBalance> {
  return changeBalance(tx, spending(change), now);
}

function spending({ amount, ...rest }: CreditChange): BalanceChange {
  assertWhole(amount);
  return { ...rest, amount: -amount, kind: 'spent' };
}

/**
 * Adds credits, such as a gift. Reads and writes two documents.
 *
 * @throws Refusal `key_reused` if the key belongs to a change of another amount
 */
export async function giveCredits(backend: Backend, change: CreditChange): Promise<CreditBalance> {
  assertWhole(change.amount);
  const callId = randomUUID();
  return backend.db.run((tx) => changeBalance(tx, { ...change, kind: 'given', callId }, backend.now()));
}

/** A change of a balance. The amount is negative if credits are spent or taken back. */
type BalanceChange = CreditChange & Pick<CreditEntry, 'kind' | 'callId'>;

/** Changes a balance once for each key. After a refund the balance may be below zero. */
export async function changeBalance(
  tx: Tx,
  { customerId, amount, key, kind, reason, callId }: BalanceChange,
  now: Date,
): Promise<CreditBalance> {
  const entries = tx.creditEntries(customerId);
  const id = entryIdOf(kind, key);
  const [credits, entry] = await Promise.all([tx.credits.get(customerId), entries.get(id)]);
  if (entry !== undefined) {
    if (entry.amount !== amount) throw refusal('key_reused');
    // An earlier attempt of this call has committed, if the stored id is ours.
    const isOurs = callId !== undefined && entry.callId === callId;
    return { balance: entry.balance, isRepeated: !isOurs };
  }
  const balance = (credits?.balance ?? 0) + amount;
  if (kind === 'spent' && balance < 0) throw refusal('credits_too_low');
  entries.create(id, { amount, balance, kind, reason, at: now, ...(callId !== undefined && { callId }) });
  tx.credits.set(customerId, { balance, updatedAt: now });
  return { balance, isRepeated: false };
}

/** @throws Error for an amount that is not a whole number above zero */
function assertWhole(amount: number): void {
  if (Number.isSafeInteger(amount) && amount > 0) return;
  throw new Error(`${amount} is not a number of credits.`);
}

/** The key may be any text. Therefore the id contains a hash of the key. */
function entryIdOf(kind: CreditEntry['kind'], key: string): string {
  return `${kind}-${createHash('sha256').update(key).digest('base64url')}`;
}
