import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Team, TransferOffer } from '../../firestore/documents/team.ts';
import { refusal } from '../../refusals/refusals.ts';
import { authorize } from '../authorize.store.ts';
import { enqueueTeamContactSyncOrLog } from '../enqueue-billing-syncs.ts';
import { endRemainingRightsOrLog } from '../members/rights.store.ts';
import { requireBelowTeamLimit } from '../team.store.ts';
import { isOfferExpired } from '../team.ts';
import { offerViewOf, type TransferView } from '../team.view.ts';

const OFFER_DAYS = 7;

export interface OfferRequest {
  /** The member who may accept. */
  uid: string;
  /** Offers co-ownership: the caller stays an owner, and the responsible owner stays the same. */
  coOwner: boolean;
}

/**
 * Offers the team to a member. Nothing changes until the member accepts, so that nobody owns a team without consent. A
 * repeated request returns the open offer.
 *
 * @throws Refusal as `authorize`; `already_owner` if the member is the caller; `member_is_owner` if `coOwner` is
 *   offered to an owner; `member_not_found`; `transfer_pending` if another offer is open
 */
export async function offerTransfer(
  backend: Backend,
  caller: Caller,
  teamId: string,
  request: OfferRequest,
): Promise<TransferView> {
  return backend.db.run(async (tx) => {
    const { team } = await authorize(tx, caller, teamId, 'team:transfer');
    await requireCanReceive(tx, caller, teamId, request);
    const now = backend.now();
    const { uid: to, coOwner } = request;
    const open = team.transfer && !isOfferExpired(team.transfer, now) ? team.transfer : undefined;
    if (open !== undefined) {
      const isSame = open.from === caller.uid && open.to === to && open.coOwner === coOwner;
      if (!isSame) throw refusal('transfer_pending');
      return offerViewOf(open);
    }
    const expiresAt = new Date(now.getTime() + OFFER_DAYS * DAY_MS);
    const offer = { from: caller.uid, to, coOwner, offeredAt: now, expiresAt };
    tx.teams.update(teamId, { transfer: offer });
    const details: Record<string, string> = coOwner ? { coOwner: 'true' } : {};
    tx.audit.record({
      ...entryOf(backend, caller, teamId),
      action: 'team.transfer_offered',
      target: to,
      details,
    });
    return offerViewOf(offer);
  });
}

/** @throws Refusal `already_owner`, `member_is_owner`, `member_not_found` */
async function requireCanReceive(
  tx: Tx,
  caller: Caller,
  teamId: string,
  { uid, coOwner }: OfferRequest,
): Promise<void> {
  if (uid === caller.uid) throw refusal('already_owner');
  const recipient = await tx.members(teamId).get(uid);
  if (recipient === undefined) throw refusal('member_not_found');
  if (coOwner && recipient.role === 'owner') throw refusal('member_is_owner');
}

/**
 * Makes the caller an owner. If the offer has no `coOwner`, the caller becomes the responsible owner, the maker of the
 * offer becomes an admin, and the maker's pending invitations to the role `owner` are cancelled.
 *
 * @throws Refusal as `authorize`; `transfer_not_found` without an offer to the caller, `new_owner_unverified`,
 *   `transfer_expired`, `transfer_withdrawn` if its maker is no longer an owner, `team_limit`
 */
export async function acceptTransfer(backend: Backend, caller: Caller, teamId: string): Promise<void> {
  const { team, offer, isComplete } = await backend.db.run(async (tx) => {
    const { team, member } = await authorize(tx, caller, teamId, 'transfer:reply');
    const offer = offerTo(team, caller);
    if (!caller.emailVerified) throw refusal('new_owner_unverified');
    if (isOfferExpired(offer, backend.now())) throw refusal('transfer_expired');
    await requireMakerIsOwner(tx, teamId, offer);
    const isComplete = offer.coOwner || (await demoteMaker(backend, tx, teamId, { team, offer }));
    tx.members(teamId).update(caller.uid, { role: 'owner' });
    tx.teams.update(teamId, offer.coOwner ? { transfer: null } : { transfer: null, ownerId: caller.uid });
    const entry = { ...entryOf(backend, caller, teamId), target: caller.uid };
    const details = { from: member.role, offeredBy: offer.from };
    if (offer.coOwner) {
      tx.audit.record({ ...entry, action: 'member.role_changed', details: { ...details, to: 'owner' } });
    } else {
      tx.audit.record({ ...entry, action: 'team.transferred', details });
    }
    return { team, offer, isComplete };
  });
  if (!isComplete) {
    await endRemainingRightsOrLog(backend, { teamId, uid: offer.from, actorId: caller.uid });
  }
  await enqueueTeamContactSyncOrLog(backend, teamId, team);
}

/**
 * Gives the maker of a transfer offer the role `admin`, and ends the rights that an admin cannot give.
 *
 * @returns as `EndGivenRights`
 * @throws Refusal `team_limit` if the recipient already owns too many teams
 */
async function demoteMaker(
  backend: Backend,
  tx: Tx,
  teamId: string,
  { team, offer }: { team: Team; offer: TransferOffer },
): Promise<boolean> {
  if (team.ownerId !== offer.to) await requireBelowTeamLimit(tx, offer.to, backend.config.teamLimit);
  const loss = { teamId, uid: offer.from, role: 'admin', actorId: offer.to, now: backend.now() } as const;
  const isComplete = await backend.featureHooks.endGivenRights(tx, loss);
  tx.members(teamId).update(offer.from, { role: 'admin' });
  return isComplete;
}

/**
 * Declines an offer to the caller, expired or not.
 *
 * @throws Refusal as `authorize`; `transfer_not_found` without an offer to the caller
 */
export async function declineTransfer(backend: Backend, caller: Caller, teamId: string): Promise<void> {
  await backend.db.run(async (tx) => {
    const { team } = await authorize(tx, caller, teamId, 'transfer:reply');
    const { to } = offerTo(team, caller);
    tx.teams.update(teamId, { transfer: null });
    tx.audit.record({ ...entryOf(backend, caller, teamId), action: 'team.transfer_declined', target: to });
  });
}

/**
 * Withdraws an offer, expired or not. Every owner can do this.
 *
 * @throws Refusal as `authorize`; `transfer_not_found` without an offer
 */
export async function withdrawTransfer(backend: Backend, caller: Caller, teamId: string): Promise<void> {
  await backend.db.run(async (tx) => {
    const { team } = await authorize(tx, caller, teamId, 'team:transfer');
    if (!team.transfer) throw refusal('transfer_not_found');
    const { to } = team.transfer;
    tx.teams.update(teamId, { transfer: null });
    tx.audit.record({ ...entryOf(backend, caller, teamId), action: 'team.transfer_withdrawn', target: to });
  });
}

function entryOf({ now }: Backend, { uid }: Caller, teamId: string) {
  return { teamId, actorId: uid, at: now() };
}

/** @throws Refusal `transfer_not_found` if the team is offered to nobody or to another member */
function offerTo({ transfer }: Team, { uid }: Caller): TransferOffer {
  if (transfer?.to !== uid) throw refusal('transfer_not_found');
  return transfer;
}

/** @throws Refusal `transfer_withdrawn` if the maker of the offer is no longer an owner */
async function requireMakerIsOwner(tx: Tx, teamId: string, offer: TransferOffer): Promise<void> {
  const maker = await tx.members(teamId).get(offer.from);
  if (maker?.role !== 'owner') throw refusal('transfer_withdrawn');
}
