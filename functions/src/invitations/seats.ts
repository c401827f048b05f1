import type { Db, Reads, Tx } from '../firestore/db.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Team } from '../firestore/documents/team.ts';
import { refusal } from '../refusals/refusals.ts';
import { openInvitations } from './invitation.store.ts';

/**
 * Counts the occupied seats of a team: one for each member and one for each open invitation.
 *
 * With a `Tx` the counted documents are locked: until its commit no other transaction adds or changes one. A
 * transaction that occupies one more seat must count in this way before it writes. So of two such transactions the
 * second one counts the seat of the first. Without a `Tx` nothing is locked.
 *
 * There is no counter document. Every accepted invitation would have to wait for it, and a write that forgets it would
 * make it wrong.
 */
export async function countOccupiedSeats(reads: Reads, teamId: string, now: Date): Promise<number> {
  const [members, open] = await Promise.all([
    reads.members(teamId).count(),
    openInvitations(reads, teamId, now).count(),
  ]);
  return members + open;
}

/** No transaction lasts longer. https://firebase.google.com/docs/firestore/quotas#writes_and_transactions */
const LONGEST_TRANSACTION_MS = 270_000;

/** A recipient who accepts an open invitation. The transaction has read the invitation and the team. */
export interface JoinAttempt {
  uid: string;
  invitation: Invitation;
  team: Team;
  now: Date;
}

/**
 * Requires that the recipient of an open invitation can become a member.
 *
 * The seat of the invitation becomes the seat of the member, so accepting does not change the count. The members and
 * invitations are therefore counted without locks, and many people can join a large team at the same time. Only the
 * team is locked: accepting transactions share that lock, and it keeps the limit unchanged until the commit.
 *
 * Two cases lock more:
 *
 * - The invitation may expire before the commit. Then the members and invitations are locked. Without these locks
 *   another transaction could give the seat of the expired invitation to a new one.
 * - The count is over the limit. Then the members are locked.
 *
 * @throws Refusal `no_seat`; `already_member` only if the team is over its limit. Otherwise `acceptInvitation` notices
 *   an existing membership at the commit
 */
export async function requireSeat(
  db: Db,
  tx: Tx,
  { uid, invitation, team, now }: JoinAttempt,
): Promise<void> {
  const { teamId, expiresAt } = invitation;
  const mayExpire = expiresAt.getTime() - now.getTime() <= LONGEST_TRANSACTION_MS;
  const count = (reads: Reads) => countOccupiedSeats(reads, teamId, now);
  // A snapshot is read outside of `tx`, so it takes no lock and waits for none. It counts members and open invitations
  // at one moment: with two reads, a person who joins in between would be counted in neither.
  const seats = await (mayExpire ? count(tx) : db.snapshot(count));
  if (seats <= team.seatLimit) return;
  // The limit was lowered below the count. Then only members count: people can join until there are as many members as
  // the limit. These reads lock the members.
  const [isMember, members] = await Promise.all([tx.members(teamId).exists(uid), tx.members(teamId).count()]);
  if (isMember) throw refusal('already_member');
  if (members >= team.seatLimit) throw refusal('no_seat');
}
