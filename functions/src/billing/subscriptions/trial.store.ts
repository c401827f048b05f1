import type { DocumentReference, Firestore, Timestamp, Transaction } from 'firebase-admin/firestore';
import { collectionOf, isDocumentId } from '../../firestore/documents.ts';
import type { KeyedHash } from '../../common/keyed-hash.ts';
import type { FormerUser } from '../../personal-data/removal.ts';
import { memberRef } from '../../teams/member.store.ts';
import { transact } from '../../firestore/transaction.ts';
import type { Subject } from '../customers/subject.ts';
import { trialIdOf } from './trial-address.ts';

/**
 * `trials/{id}`: a free trial that has begun or is promised to an open checkout. The id is a uid, a team's id, or stands
 * for the address of a user: that document outlives the account, so that registering again gives no other trial. A team's
 * trial also counts for the owner who answers for it and the member who began it, so that making more teams gives no more.
 */
interface TrialDocument {
  /** The user or team whose checkout the trial is promised to. */
  customerId: string;
  reservedAt: Timestamp;
  /** When it began. */
  usedAt?: Timestamp;
  /** In the document of a uid: the id of the document that stands for their address. */
  addressId?: string;
}

type NewTrial = Pick<TrialDocument, 'customerId' | 'addressId'> & { reservedAt: Date; usedAt?: Date };

/** Holders of a trial by id: a user or a team with its people. The value is the id of the holder's address, or null. */
type Holders = ReadonlyMap<string, string | null>;

interface Trials {
  holders: Holders;
  isFree: boolean;
}

/** A checkout ends a day after it was begun; an hour is left for clocks that differ.
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at */
const RESERVED_MS = 25 * 3_600_000;

/**
 * Whether a subject may have a trial. Reads two documents for a user and three for a team; three more if the caller is
 * not the owner who answers for the team.
 */
export async function readTrials(
  transaction: Transaction,
  firestore: Firestore,
  subject: Subject,
  { hash, now }: { hash: KeyedHash; now: Date },
): Promise<Trials> {
  const { customerId, ownerId, callerId, callerEmail } = subject;
  const ownerEmail =
    ownerId === callerId
      ? callerEmail
      : (await transaction.get(memberRef(firestore, customerId, ownerId))).data()?.email;
  const addressOf = (email: string | null | undefined) =>
    email === null || email === undefined ? null : trialIdOf(hash, email);
  const holders = new Map([
    [customerId, null],
    [ownerId, addressOf(ownerEmail)],
    [callerId, addressOf(callerEmail)],
  ]);
  const ids = new Set([...holders.keys(), ...holders.values()].filter((id) => id !== null));
  const snapshots = await transaction.getAll(...[...ids].map((id) => trialRef(firestore, id)));
  const isFree = snapshots.every((snapshot) => {
    const trial = snapshot.data();
    if (trial === undefined) return true;
    if (trial.usedAt !== undefined) return false;
    const isOver = now.getTime() - trial.reservedAt.toMillis() > RESERVED_MS;
    return isOver || trial.customerId === customerId;
  });
  return { holders, isFree };
}

/**
 * Keeps the trial for a subject's checkout from the moment that its page is made: another team of the same people gets
 * none while it is open.
 */
export function reserveTrials(
  transaction: Transaction,
  firestore: Firestore,
  { holders }: Trials,
  trial: { customerId: string; reservedAt: Date },
): void {
  write(transaction, firestore, holders, trial);
}

/** Stores that a trial has begun, for all its holders. Reads one document for each of the people. */
export async function useTrials(
  transaction: Transaction,
  firestore: Firestore,
  { customerId, people }: { customerId: string; people: readonly (string | undefined)[] },
  usedAt: Date,
): Promise<void> {
  // Metadata can be edited in Stripe's dashboard.
  const uids = new Set(people.filter((uid) => uid !== undefined && isDocumentId(uid)));
  const holders = new Map<string, string | null>([[customerId, null]]);
  for (const uid of uids) {
    if (uid === undefined) continue;
    // Read outside the transaction, which may have written already. The address was stored when the checkout began.
    const reserved = (await trialRef(firestore, uid).get()).data();
    holders.set(uid, reserved?.addressId ?? null);
  }
  write(transaction, firestore, holders, { customerId, reservedAt: usedAt, usedAt });
}

/** Keeps the trial of a user whose account is being deleted under the ids of their addresses. */
export async function keepTrialOfAddress(
  firestore: Firestore,
  hash: KeyedHash,
  user: FormerUser,
): Promise<void> {
  const ref = trialRef(firestore, user.uid);
  await transact(firestore, async (transaction) => {
    const trial = (await transaction.get(ref)).data();
    if (trial === undefined) return;
    const { customerId, reservedAt, usedAt, addressId } = trial;
    const current = user.email === undefined ? undefined : trialIdOf(hash, user.email);
    const kept = {
      customerId: customerId === user.uid ? user.pseudonym : customerId,
      reservedAt: reservedAt.toDate(),
      ...(usedAt && { usedAt: usedAt.toDate() }),
    };
    const ids = new Set([addressId, usedAt && current].filter((id) => id !== undefined));
    for (const id of ids) transaction.set(firestore.doc(trialRef(firestore, id).path), kept);
    transaction.delete(ref);
  });
}

export function trialRef(firestore: Firestore, id: string): DocumentReference<TrialDocument> {
  return collectionOf<TrialDocument>(firestore, 'trials').doc(id);
}

function write(transaction: Transaction, firestore: Firestore, holders: Holders, trial: NewTrial): void {
  const set = (id: string, document: NewTrial) => {
    transaction.set(firestore.doc(trialRef(firestore, id).path), document);
  };
  for (const [id, addressId] of holders) set(id, { ...trial, ...(addressId !== null && { addressId }) });
  for (const addressId of new Set(holders.values())) if (addressId !== null) set(addressId, trial);
}
