import { HOUR_MS } from '../../../common/durations.ts';
import { mailboxOf } from '../../../common/email.ts';
import { DamagedDocument } from '../../../firestore/damage.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import { isDocumentId } from '../../../firestore/document-id.ts';
import type { Trial } from '../../../firestore/documents/trial.ts';
import type { HashFunction } from '../../../personal-data/keyed-hash.ts';
import type { Subject } from '../../subject.ts';

/**
 * A checkout with a trial uses up the trial of its customer, of the buyer and of the responsible owner of a team. Each
 * of them is a trial taker.
 *
 * Example: Ada (uid `u1`) buys for the team `t1` that she owns. There are two takers, and three documents in
 * `trials/`: `t1`, `u1` and `address:5f3c…`.
 *
 * | trial taker | `id` | `addressId` |
 * | --- | --- | --- |
 * | the team | `t1` | null |
 * | Ada | `u1` | `address:5f3c…` |
 */
interface TrialTaker {
  /** A uid or the id of a team. */
  id: string;
  /** A keyed hash of the user's mailbox. Null for a team, and for a user without a verified address. */
  addressId: string | null;
}

type TrialSubject = Pick<Subject, 'type' | 'customerId' | 'ownerId' | 'actor'>;

interface TrialEligibility {
  takers: readonly TrialTaker[];
  /**
   * False if the caller's address is not verified, or if one of the takers has had a trial or has reserved one for
   * another customer's checkout.
   */
  isTrialAvailable: boolean;
}

/**
 * A checkout session expires a day after its creation. The extra hour allows for clocks that differ.
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at
 */
const RESERVED_MS = 25 * HOUR_MS;

/**
 * A team shares the trial with its responsible owner and with the buyer. A buyer whose address is not verified gets
 * no trial, because the address may be invented or belong to another person. An account without an address, such as one
 * of a phone number, has a trial of its own.
 *
 * Reads nothing for a caller whose address is not verified. Otherwise reads at most 2 documents for a user, 3 for a
 * team, and 6 for a team whose responsible owner is not the caller.
 */
export async function readTrialEligibility(
  reads: Reads,
  subject: TrialSubject,
  { hashAddress, now }: { hashAddress: HashFunction; now: Date },
): Promise<TrialEligibility> {
  const { customerId, actor } = subject;
  if (actor.email !== null && !actor.emailVerified) return { takers: [], isTrialAvailable: false };
  const takers = await findTakers(reads, subject, hashAddress);
  return { takers, isTrialAvailable: await areAvailable(reads, idsOf(takers), customerId, now) };
}

/** The ids of the documents in `trials/`. */
function idsOf(takers: readonly TrialTaker[]): string[] {
  return takers.flatMap(({ id, addressId }) => [id, addressId]).filter((id) => id !== null);
}

async function findTakers(
  reads: Reads,
  { type, customerId, ownerId, actor }: TrialSubject,
  hashAddress: HashFunction,
): Promise<TrialTaker[]> {
  const personOf = (id: string, email: string | null): TrialTaker => ({
    id,
    addressId: email === null ? null : trialIdOf(hashAddress, email),
  });
  const buyer = personOf(actor.uid, actor.email);
  if (type === 'user') return [buyer];
  const team = { id: customerId, addressId: null };
  if (ownerId === actor.uid) return [team, buyer];
  const owner = await reads.members(customerId).get(ownerId);
  return [team, personOf(ownerId, owner?.email ?? null), buyer];
}

/** A damaged document counts as a trial that was used. */
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

function isAvailable(trial: Trial, customerId: string, now: Date): boolean {
  if (trial.usedAt !== undefined) return false;
  const isExpired = now.getTime() - trial.reservedAt.getTime() > RESERVED_MS;
  return isExpired || trial.customerId === customerId;
}

/** Reserves the trial for the checkout of one customer. The takers get no trial for another customer meanwhile. */
export function reserveTrials(
  tx: Tx,
  { takers }: TrialEligibility,
  trial: { customerId: string; reservedAt: Date },
): void {
  writeTrials(tx, takers, trial);
}

/** A customer, and the people who share its trial: the responsible owner and the buyer. */
interface TrialPeople {
  customerId: string;
  personIds: readonly (string | undefined)[];
}

/**
 * Reserves the trial of a stored checkout again. Reads the documents of the takers twice, to find the addresses and to
 * check the trials, and the documents of the addresses once.
 *
 * @returns false if the customer or a person has used the trial since, or has reserved it for another customer
 */
export async function renewReservation(tx: Tx, people: TrialPeople, now: Date): Promise<boolean> {
  const { customerId } = people;
  const takers = await findReservedTakers(tx, people);
  if (!(await areAvailable(tx, idsOf(takers), customerId, now))) return false;
  writeTrials(tx, takers, { customerId, reservedAt: now });
  return true;
}

/**
 * Stores that a trial has begun. Reads one document for the customer and one for each person.
 *
 * @param people from the metadata of the subscription. A subscription that somebody has made in Stripe's dashboard
 *   names no people
 */
export async function recordStartedTrials(tx: Tx, people: TrialPeople, startedAt: Date): Promise<void> {
  const takers = await findReservedTakers(tx, people);
  writeTrials(tx, takers, { customerId: people.customerId, reservedAt: startedAt, usedAt: startedAt });
}

/**
 * Finds the takers of a trial that was reserved. The `addressId` of each comes from its document, because a user's
 * address may have changed since.
 */
async function findReservedTakers(
  reads: Reads,
  { customerId, personIds }: TrialPeople,
): Promise<TrialTaker[]> {
  // Somebody may have edited the metadata in Stripe's dashboard.
  const uids = personIds.filter((uid) => isDocumentId(uid));
  const ids = [...new Set([customerId, ...uids])];
  const trials = await reads.trials.getAllIntact(ids);
  return ids.map((id) => ({ id, addressId: trials.get(id)?.addressId ?? null }));
}

function writeTrials(tx: Tx, takers: readonly TrialTaker[], trial: Omit<Trial, 'addressId'>): void {
  for (const { id, addressId } of takers) {
    tx.trials.set(id, { ...trial, ...(addressId !== null && { addressId }) });
  }
  const addressIds = new Set(takers.map(({ addressId }) => addressId));
  for (const addressId of addressIds) if (addressId !== null) tx.trials.set(addressId, trial);
}

/** Id of the document for an address. It is a hash, because the address is not stored. */
export function trialIdOf(hash: HashFunction, email: string): string {
  return `address:${hash('trial', mailboxOf(email))}`;
}
