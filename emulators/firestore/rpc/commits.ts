import { status } from '@grpc/grpc-js';
import { invalidArgument, StatusError } from '../errors.ts';
import { parseDatabaseName } from '../model/paths.ts';
import { commitAllowed } from '../rules/commit.ts';
import { beginTransaction } from '../transactions/view.ts';
import type { WireTransactionOptions, WireWrite, WireWriteResult } from '../wire/messages.ts';
import { encodeMicros, encodeValue } from '../wire/value-codec.ts';
import type { WriteOutcome } from '../write/apply.ts';
import { parseWrite } from '../write/write.ts';
import type { Write } from '../write/write.ts';
import type { RequestContext, RpcContext } from './context.ts';

// Handlers are async although some do not wait, so that a throw is always a rejection.

export async function begin(
  { store }: RpcContext,
  request: { database?: string; options?: WireTransactionOptions },
): Promise<object> {
  const open = store.open(parseDatabaseName(request.database ?? ''));
  return Promise.resolve({
    transaction: Buffer.from(beginTransaction(open, request.options ?? {}).token),
  });
}

export async function rollback(
  { store }: RpcContext,
  request: { database?: string; transaction?: Uint8Array },
): Promise<object> {
  const { transactions } = store.open(parseDatabaseName(request.database ?? ''));
  transactions.rollback(transactions.find(tokenOf(request.transaction) ?? ''));
  return Promise.resolve({});
}

export async function commit(
  context: RequestContext,
  request: { database?: string; writes?: WireWrite[]; transaction?: Uint8Array },
): Promise<object> {
  const database = parseDatabaseName(request.database ?? '');
  const open = context.store.open(database);
  const token = tokenOf(request.transaction);
  const transaction = token === undefined ? undefined : open.transactions.find(token);
  const writes = (request.writes ?? []).map((write) => parseWrite(write, database));
  const { commitTime, outcomes } = await commitAllowed(open, context, writes, transaction);
  context.ledger.write(database, countWrites(writes));
  return { writeResults: outcomes.map(encodeOutcome), commitTime: encodeMicros(commitTime) };
}

interface WriteStatus {
  readonly result: WireWriteResult;
  readonly status: { readonly code: number; readonly message: string };
}

/**
 * Applies each write on its own: one may fail while others are applied. A malformed or denied write refuses all of
 * them.
 */
export async function batchWrite(
  context: RequestContext,
  request: { database?: string; writes?: WireWrite[] },
): Promise<object> {
  const database = parseDatabaseName(request.database ?? '');
  const open = context.store.open(database);
  const writes = (request.writes ?? []).map((write) => parseWrite(write, database));
  assertDistinctDocuments(writes);
  const evaluations = await Promise.all(
    writes.map(async (write) => context.guard?.write(open.database, [write])),
  );
  const results = await Promise.all(
    writes.map(async (write, index): Promise<WriteStatus> => {
      try {
        const { outcomes } = await commitAllowed(open, context, [write], undefined, evaluations[index]);
        const result = outcomes[0] ? encodeOutcome(outcomes[0]) : {};
        context.ledger.write(database, countWrites([write]));
        return { result, status: { code: status.OK, message: '' } };
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return { result: {}, status: { code: error.code, message: error.message } };
      }
    }),
  );
  return {
    writeResults: results.map(({ result }) => result),
    status: results.map((result) => result.status),
  };
}

function assertDistinctDocuments(writes: readonly Write[]): void {
  if (new Set(writes.map(({ path }) => path)).size < writes.length) {
    throw invalidArgument('A document cannot be written to more than once in a single BatchWrite request.');
  }
}

function encodeOutcome({ updateTime, transformResults }: WriteOutcome): WireWriteResult {
  return {
    ...(updateTime !== undefined && { updateTime: encodeMicros(updateTime) }),
    transformResults: transformResults.map(encodeValue),
  };
}

function countWrites(writes: readonly Write[]): { writes: number; deletes: number } {
  const deletes = writes.filter(({ kind }) => kind === 'delete').length;
  const verified = writes.filter(({ kind }) => kind === 'verify').length;
  return { writes: writes.length - deletes - verified, deletes };
}

const tokenOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && bytes.length > 0 ? Buffer.from(bytes).toString('latin1') : undefined;
