import type { Db, Reads, Tx } from '../firestore/db.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Team } from '../firestore/documents/team.ts';
import { refusal } from '../refusals/refusals.ts';
import { openInvitations } from './invitation.store.ts';

/**
 * Counts the occupied seats of a team: one for each member and one for each open invitation.
 *
 * With a `Tx` the counted documents are locked: until the commit no other transaction adds or changes such a document.
 * Without a `Tx` nothing is locked. A transaction that occupies one more seat must count with its `Tx` before it
 * writes. (An accepted invitation has a seat already: see `requireSeat`.) Example: one seat is free, and two admins
 * invite at the same time. The transaction that commits first takes the seat, and the other transaction refuses.
 *
 * No document stores the count. Every accepted invitation would have to wait for that document, and a write that
 * forgets it would make the count wrong.
 */
export async function countOccupiedSeats(reads: Reads, teamId: string, now: Date): Promise<number> {
  const [members, open] = await Promise.all([
    reads.members(teamId).count(),
    openInvitations(reads, teamId, now).count(),
  ]);
  return members + open;
}

/** The longest time of a transaction. https://firebase.google.com/docs/firestore/quotas#writes_and_transactions */
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
 * The seat of the invitation becomes the seat of the member, so accepting does not change the count. Therefore members
 * and invitations are counted without locks, and many people can join a large team at the same time. The team is
 * locked: accepting transactions share this lock, and it keeps the limit unchanged until the commit.
 *
 * Two cases lock more:
 *
 * - If the invitation may expire before the commit, the members and invitations are locked. Otherwise another
 *   transaction could give the seat of the expired invitation to a new invitation.
 * - If the count is over the limit, the members are locked.
 *
 * @throws Refusal `no_seat`; `already_member` if the team is over its limit. In other teams the commit fails, and the
 *   calling function throws it
 */
export async function requireSeat(
  db: Db,
  tx: Tx,
  { uid, invitation, team, now }: JoinAttempt,
): Promise<void> {
  const { teamId, expiresAt } = invitation;
  const mayExpire = expiresAt.getTime() - now.getTime() <= LONGEST_TRANSACTION_MS;
  const count = (reads: Reads) => countOccupiedSeats(reads, teamId, now);
  // The snapshot is read outside of `tx`, so it takes no lock and waits for none. Both counts are from one moment. If
  // the members were read first and the invitations later, a person who joins in between would be missing in both: not
  // yet a member, and no longer invited.
  const seats = await (mayExpire ? count(tx) : db.snapshot(count));
  if (seats <= team.seatLimit) return;
  // The limit was lowered below the count. Now only members count. With a limit of 10, 5 members and 7 invitations,
  // five more people can join. These reads lock the members.
  const [isMember, members] = await Promise.all([tx.members(teamId).exists(uid), tx.members(teamId).count()]);
  if (isMember) throw refusal('already_member');
  if (members >= team.seatLimit) throw refusal('no_seat');
}
