import type { KeyedHash } from '../../common/keyed-hash.ts';
import { DamagedDocument, orDamaged } from '../../firestore/convert.ts';
import type { Db, Reads, Tx } from '../../firestore/db.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { Trial } from '../../firestore/documents/billing-state.ts';
import type { FormerUser } from '../../personal-data/removal.ts';
import { trialIdOf } from './mailbox.ts';

/** A user or team that may get a free trial, with the people for whom it also counts. */
interface Applicant {
  /** A uid or the id of a team. */
  customerId: string;
  /** The uid of the user, or of the responsible owner of the team. */
  ownerId: string;
  /** The uid of the user who makes the request. */
  callerId: string;
  callerEmail: string | null;
}

/**
 * Everybody who shares a trial, by the ids of their documents in `trials/`: uids, and the id of a team. The value for a person
 * is the id of the trial document of their address. It is null without an address, and for a team.
 */
type Holders = ReadonlyMap<string, string | null>;

interface Eligibility {
  holders: Holders;
  /** Whether none of the holders has had a trial or reserved one for another checkout. */
  isTrialAvailable: boolean;
}

/**
 * How long a trial is reserved. A checkout expires a day after it began; the extra hour allows for clocks that differ.
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at
 */
const RESERVED_MS = 25 * 3_600_000;

/**
 * Finds out whether an applicant may have a trial. Reads two documents for a user and three for a team; three more if the
 * caller is not the responsible owner.
 */
export async function readEligibility(
  reads: Reads,
  applicant: Applicant,
  { hash, now }: { hash: KeyedHash; now: Date },
): Promise<Eligibility> {
  const { customerId, ownerId, callerId, callerEmail } = applicant;
  const ownerEmail =
    ownerId === callerId ? callerEmail : ((await reads.members(customerId).get(ownerId))?.email ?? null);
  const addressIdOf = (email: string | null) => (email === null ? null : trialIdOf(hash, email));
  // For a user the three keys are equal. The Map then has the last value, which is the address of the caller.
  const holders = new Map([
    [customerId, null],
    [ownerId, addressIdOf(ownerEmail)],
    [callerId, addressIdOf(callerEmail)],
  ]);
  const ids = [...holders.keys(), ...holders.values()].filter((id) => id !== null);
  return { holders, isTrialAvailable: await areAvailable(reads, ids, customerId, now) };
}

/** A damaged document counts as a trial that was used: the customer can buy, but not try again. */
async function areAvailable(
  reads: Reads,
  ids: readonly string[],
  customerId: string,
  now: Date,
): Promise<boolean> {
  try {
    const trials = await reads.trials.getAll(ids);
    return [...trials.values()].every((trial) => isAvailable(trial, customerId, now));
  } catch (error) {
    if (error instanceof DamagedDocument) return false;
    throw error;
  }
}

/** True if a trial has not begun and is not reserved for the checkout of another customer. */
function isAvailable(trial: Trial, customerId: string, now: Date): boolean {
  if (trial.usedAt !== undefined) return false;
  const isExpired = now.getTime() - trial.reservedAt.getTime() > RESERVED_MS;
  return isExpired || trial.customerId === customerId;
}

/** Reserves the trial of all holders for the checkout of a customer. Until it ends, the holders get no trial elsewhere. */
export function reserveTrials(
  tx: Tx,
  { holders }: Eligibility,
  trial: { customerId: string; reservedAt: Date },
): void {
  writeTrials(tx, holders, trial);
}

/** Stores that a trial has begun, for all its holders. Reads one document for each person. */
export async function startTrials(
  tx: Tx,
  { customerId, people }: { customerId: string; people: readonly (string | undefined)[] },
  startedAt: Date,
): Promise<void> {
  // Metadata of a subscription can be edited in Stripe's dashboard.
  const uids = people.filter((uid) => isDocumentId(uid));
  const reserved = await tx.trials.getIntact(uids);
  const holders = new Map<string, string | null>([[customerId, null]]);
  // The id of the address was stored when the checkout began.
  for (const uid of uids) holders.set(uid, reserved.get(uid)?.addressId ?? null);
  writeTrials(tx, holders, { customerId, reservedAt: startedAt, usedAt: startedAt });
}

/**
 * Keeps the trial of a user whose account is being deleted, under the ids of their addresses. A damaged document counts
 * as a trial that was used, and does not prevent the deletion.
 */
export async function keepTrialOfAddress(
  db: Db,
  hash: KeyedHash,
  user: FormerUser,
  now: Date,
): Promise<void> {
  await db.run(async (tx) => {
    const stored = await orDamaged(tx.trials.get(user.uid));
    if (stored === undefined) return;
    const usedNow: Trial = { customerId: user.uid, reservedAt: now, usedAt: now };
    const { customerId, addressId, ...times } = stored instanceof DamagedDocument ? usedNow : stored;
    // The address may have changed since the trial was reserved. A trial that has begun counts for both.
    const currentId = user.email === undefined ? undefined : trialIdOf(hash, user.email);
    const kept = { customerId: customerId === user.uid ? user.pseudonym : customerId, ...times };
    const ids = new Set([addressId, times.usedAt && currentId].filter((id) => id !== undefined));
    for (const id of ids) tx.trials.set(id, kept);
    tx.trials.delete(user.uid);
  });
}

function writeTrials(tx: Tx, holders: Holders, trial: Omit<Trial, 'addressId'>): void {
  for (const [id, addressId] of holders) {
    tx.trials.set(id, { ...trial, ...(addressId !== null && { addressId }) });
  }
  for (const addressId of new Set(holders.values())) if (addressId !== null) tx.trials.set(addressId, trial);
}
