import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import type { Tx } from '../../firestore/db.ts';
import type { UsageReport } from '../../firestore/documents/usage.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import type { Meter } from '../../settings/extras.ts';
import { authorize } from '../../teams/authorize.store.ts';

/** The largest value of one report. Sums stay far below the largest exact integer. */
export const MAX_VALUE = 1_000_000_000;

/** For this time a repeated key does not count again. Within it the report is sent or expires. */
const KEPT_MS = 35 * DAY_MS;

export interface NewUsageReport {
  /** A uid or the id of a team. */
  customerId: string;
  /** Slug of a meter of extras.json. */
  meter: string;
  /** A whole number from 1 to 1,000,000,000. */
  value: number;
  /**
   * Names this report, such as the id of the job that used the units. A second report with the same key does nothing.
   */
  key: string;
}

export interface RecordedUsage {
  /** True if a report with this key was recorded before. */
  isRepeated: boolean;
}

/**
 * Records usage of a meter. The usage is stored when this returns, and sent to Stripe within minutes. Call it from the
 * code that does the work, after the work is done.
 *
 *     await recordUsage(backend, { customerId: caller.uid, meter: 'calls', value: 1, key: job.id });
 *
 * Reads and writes one document.
 *
 * @throws Refusal `meter_not_found`; `key_reused` if the key belongs to a report of another meter or value
 */
export async function recordUsage(backend: Backend, usage: NewUsageReport): Promise<RecordedUsage> {
  const callId = randomUUID();
  return backend.db.run((tx) => record(backend, tx, { ...usage, callId }));
}

/**
 * Like `recordUsage`, within a transaction of the calling function, which can also write the result of the work. If the
 * answer to the commit is lost, the body runs again and gets `isRepeated`, unless the transaction also creates a
 * document by `createAsProof`.
 */
export async function recordUsageIn(backend: Backend, tx: Tx, usage: NewUsageReport): Promise<RecordedUsage> {
  return record(backend, tx, usage);
}

/**
 * Records usage in a transaction.
 *
 * @param usage with the id of the call, if the call must recognize its own commit
 * @throws Refusal `meter_not_found`; `key_reused` if the key belongs to a report of another meter or value
 */
async function record(
  { config, now }: Backend,
  tx: Tx,
  usage: NewUsageReport & Pick<UsageReport, 'callId'>,
): Promise<RecordedUsage> {
  const { customerId, meter, value, key, callId } = usage;
  requireMeter(config, meter);
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_VALUE) {
    throw new Error(`${value} is not a number of units.`);
  }
  const id = reportId(customerId, key);
  const stored = await tx.usageReports.get(id);
  if (stored !== undefined) {
    if (stored.meter !== meter || stored.value !== value) throw refusal('key_reused');
    // An earlier attempt of this call has committed, if the stored id is ours.
    const isOurs = callId !== undefined && stored.callId === callId;
    return { isRepeated: !isOurs };
  }
  const at = now();
  const deleteAt = new Date(at.getTime() + KEPT_MS);
  const report = { customerId, meter, value, at, batchId: null, deleteAt };
  tx.usageReports.create(id, { ...report, ...(callId !== undefined && { callId }) });
  return { isRepeated: false };
}

/**
 * Records usage that a client reports, for the caller or one of their teams. The transaction checks the membership.
 *
 * @throws Refusal `meter_closed_to_clients`; as `record`; as `authorize`, for a team
 */
export async function recordClientUsage(
  backend: Backend,
  caller: Caller,
  { team, ...usage }: Omit<NewUsageReport, 'customerId'> & { team?: string | undefined },
): Promise<RecordedUsage> {
  if (!requireMeter(backend.config, usage.meter).fromClients) throw refusal('meter_closed_to_clients');
  const callId = randomUUID();
  return backend.db.run(async (tx) => {
    if (team !== undefined) await authorize(tx, caller, team, 'usage:report');
    return record(backend, tx, { ...usage, customerId: team ?? caller.uid, callId });
  });
}

/** @throws Refusal `meter_not_found` */
function requireMeter({ extras }: Config, slug: string): Meter {
  const meter = extras.meters.find((meter) => meter.slug === slug);
  if (meter === undefined) throw refusal('meter_not_found');
  return meter;
}

/** An id from a hash, because a key can be any text. Hashes also spread the documents over the database. */
function reportId(customerId: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([customerId, key]))
    .digest('base64url');
}
