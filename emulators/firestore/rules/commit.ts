import type { Caller } from '../authentication.ts';
import { contention } from '../errors.ts';
import type { OpenDatabase } from '../store.ts';
import type { CommitResult } from '../transactions/coordinator.ts';
import type { Transaction } from '../transactions/transaction.ts';
import type { Write } from '../write/write.ts';
import type { Guard } from './guard.ts';
import type { Snapshot } from './snapshot.ts';

/** The author of a commit. Administrators have no guard. */
export interface Author {
  readonly caller: Caller;
  readonly guard: Guard | undefined;
}

class OutdatedEvaluation extends Error {
  override readonly name = 'OutdatedEvaluation';
}

/**
 * Commits the writes if the rules allow all of them. The rules are evaluated in one state of the database. If a
 * document that they read has changed when the writes are applied, they are evaluated again. `evaluated` is the state
 * of an evaluation that was made before. Rejects with PERMISSION_DENIED, or like `commitWrites`.
 */
export async function commitAllowed(
  { database, transactions }: OpenDatabase,
  { caller, guard }: Author,
  writes: readonly Write[],
  transaction?: Transaction,
  evaluated?: Snapshot,
): Promise<CommitResult> {
  if (!guard) return transactions.commitWrites(writes, transaction, caller);
  const end = (error: unknown): never => {
    if (transaction) transactions.rollback(transaction);
    throw error;
  };
  for (let evaluation = evaluated; ; evaluation = undefined) {
    const current = evaluation ?? (await guard.write(database, writes).catch(end));
    try {
      return await transactions.commitWrites(writes, transaction, caller, () => {
        if (!current.isCurrent()) throw new OutdatedEvaluation();
      });
    } catch (error) {
      if (!(error instanceof OutdatedEvaluation)) throw error;
      // The failed commit has ended the transaction.
      if (transaction) throw contention();
    }
  }
}
