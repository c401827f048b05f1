import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { refuse } from '../refusals.ts';
import { memberRef, membersRef } from '../teams/member.store.ts';
import type { Team } from '../teams/team.store.ts';
import type { Invitation } from './invitation.ts';
import { openInvitations } from './invitation.store.ts';

/**
 * Members and open invitations hold a seat each. Whoever adds to their sum counts it first, in the transaction, which
 * locks what was counted: of two who add at once, the second counts what the first has added.
 *
 * There is no counter document. Accepting would make it a hot one, and whatever is written past it would make it wrong.
 */
export async function countSeatsTaken(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  now: Date,
): Promise<number> {
  const [members, open] = await Promise.all([
    transaction.get(membersRef(firestore, teamId).count()),
    transaction.get(openInvitations(firestore, teamId, now).count()),
  ]);
  return members.data().count + open.data().count;
}

export const noSeat = () => refuse('no_seat');

/** Longer than a transaction lives. https://firebase.google.com/docs/firestore/quotas#writes_and_transactions */
const LONGEST_TRANSACTION_MS = 270_000;

/**
 * Lets an open invitation become a membership.
 *
 * Accepting turns a promised seat into a taken one: the sum stays. So while the sum is within the limit no lock is
 * needed, and many people join a large team at once without waiting for each other. `team` was read in the transaction
 * before, so that the limit does not change until the commit; and whoever adds to the sum meanwhile keeps the limit.
 *
 * In two cases the counted documents are locked. If the limit was lowered below the sum, the first to accept get the seats
 * that are left. If the invitation expires so soon that its seat could be promised to another person before the commit,
 * that person's invitation waits for this transaction, and then counts the new member.
 *
 * @throws Refusal 403 when every seat is taken, 409 for a member (where the seats are counted strictly)
 */
export async function assertSeatFor(
  transaction: Transaction,
  firestore: Firestore,
  uid: string,
  { teamId, expiresAt }: Invitation,
  { seatLimit }: Team,
  now: Date,
): Promise<void> {
  const members = membersRef(firestore, teamId);
  const count = (within: Transaction) => countSeatsTaken(within, firestore, teamId, now);
  const mayExpire = expiresAt.toMillis() - now.getTime() <= LONGEST_TRANSACTION_MS;
  // Both counts read one moment. Otherwise a person who joins between them would be in neither.
  const sum = await (mayExpire ? count(transaction) : firestore.runTransaction(count, { readOnly: true }));
  if (sum <= seatLimit) return;
  const [own, joined] = await Promise.all([
    transaction.get(memberRef(firestore, teamId, uid)),
    transaction.get(members.count()),
  ]);
  if (own.exists) throw alreadyMember();
  if (joined.data().count >= seatLimit) throw refuse('no_seat');
}

export const alreadyMember = () => refuse('already_member');
