import type { Db, Reads, Tx } from '../firestore/db.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Team } from '../firestore/documents/team.ts';
import { openInvitations } from './invitation.store.ts';

/**
 * Counts the occupied seats of a team: one for each member and one for each open invitation.
 *
 * A transaction that invites counts with its `Tx`, which locks the counted documents. Example: one seat is free, and
 * two admins invite at the same time. The transaction that commits first takes the seat, and the other one refuses.
 *
 * No document stores the count, because the count also changes without a write: when an invitation expires.
 */
export async function countOccupiedSeats(reads: Reads, teamId: string, now: Date): Promise<number> {
  const [members, open] = await Promise.all([
    reads.members(teamId).count(),
    openInvitations(reads, teamId, now).count(),
  ]);
  return members + open;
}

/**
 * Firestore's limit for a transaction. Our wait ends earlier (`firestore/waits.ts`), but the commit may still happen.
 * https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
 */
const LONGEST_TRANSACTION_MS = 270_000;

/** An open invitation and its team, as read by the transaction that accepts the invitation. */
export interface JoinAttempt {
  invitation: Invitation;
  team: Team;
  now: Date;
}

/**
 * True if the team has a seat for the recipient of an open invitation.
 *
 * The seat of the invitation becomes the seat of the member, so accepting does not change the count. Therefore the
 * seats are usually counted without locks, and many people can join a large team at the same time.
 *
 * If the invitation is about to expire, the count has locks. Without them, two people could get one seat:
 *
 * 1. This transaction counts at 9:59. The seat of its own invitation is still occupied.
 * 2. The invitation expires at 10:00, and its seat is free. An admin invites somebody else, who gets this seat.
 * 3. This transaction commits at 10:01: one member too many.
 *
 * With locks, the transaction of the admin waits, because the new invitation would change the count.
 */
export async function hasSeatFor(db: Db, tx: Tx, { invitation, team, now }: JoinAttempt): Promise<boolean> {
  const { teamId, expiresAt } = invitation;
  const { seatLimit } = team;
  const count = (reads: Reads) => countOccupiedSeats(reads, teamId, now);
  const mayExpireBeforeCommit = expiresAt.getTime() - now.getTime() <= LONGEST_TRANSACTION_MS;
  // `tx` counts with locks. A snapshot counts members and invitations at one moment, without locks.
  const occupied = await (mayExpireBeforeCommit ? count(tx) : db.snapshot(count));
  // `occupied` includes the seat of this invitation.
  if (occupied <= seatLimit) return true;
  // The limit was lowered below the number of occupied seats, so not every open invitation has a seat. The first
  // people who accept get the free seats. Example: with a limit of 10, 5 members and 7 open invitations, five can join.
  return (await tx.members(teamId).count()) < seatLimit;
}
