import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit, type AuditAction } from '../audit/audit-log.store.ts';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { authorizeLegacy, type Membership } from './authorize.ts';
import { memberRef } from './member.store.ts';
import type { Action } from './roles.ts';
import {
  assertBelowTeamLimit,
  closeOffer,
  isOfferExpired,
  saveOffer,
  teamRef,
  type TransferOffer,
} from './team.store.ts';
import { offerViewOf, type TransferView } from './team.view.ts';

/** How long an offer can be accepted. */
const OFFER_DAYS = 7;

export interface OfferRequest {
  /** The member to whom the team is offered. */
  uid: string;
  /** Offers co-ownership: the caller stays an owner, and the same owner answers for the team. */
  coOwner: boolean;
}

/**
 * Offers the team to a member. Nothing changes until the member accepts, so that nobody owns a team without consent.
 * Repeating the same offer answers the open one.
 *
 * @throws Refusal as authorize; 404 for no member, 409 for oneself, an owner as co-owner, or while another offer is open
 */
export function offerTransfer(
  backend: Backend,
  caller: Caller,
  teamId: string,
  { uid, coOwner }: OfferRequest,
): Promise<TransferView> {
  return actOnTransfer({ backend, caller, teamId, action: 'team:transfer' }, async (change) => {
    const { transaction, firestore, membership, now } = change;
    if (uid === caller.uid) throw refuse('already_owner');
    const target = (await transaction.get(memberRef(firestore, teamId, uid))).data();
    if (target === undefined) throw refuse('member_not_found');
    if (coOwner && target.role === 'owner') {
      throw refuse('member_is_owner');
    }
    const open = membership.team.transfer;
    if (open && !isOfferExpired(open, now)) {
      const isSame = open.from === caller.uid && open.to === uid && open.coOwner === coOwner;
      if (!isSame) throw refuse('transfer_pending');
      return offerViewOf(open);
    }
    const expiresAt = new Date(now.getTime() + OFFER_DAYS * 86_400_000);
    const offer = { from: caller.uid, to: uid, coOwner, offeredAt: now, expiresAt };
    saveOffer(transaction, firestore, teamId, offer);
    change.record('team.transfer_offered', uid, coOwner ? { coOwner: 'true' } : {});
    return { ...offer, offeredAt: now.toISOString(), expiresAt: expiresAt.toISOString() };
  });
}

/**
 * Makes the caller an owner, as offered. For a transfer the caller answers for the team, and the former owner becomes an
 * admin, whose invitations of owners are cancelled.
 *
 * @throws Refusal as authorize; 404 without an offer to the caller, 410 when it expired or its maker is no owner,
 *   403 for an unverified address or one team too many
 */
export async function acceptTransfer(backend: Backend, caller: Caller, teamId: string): Promise<void> {
  await actOnTransfer({ backend, caller, teamId, action: 'transfer:answer' }, async (change) => {
    const { transaction, firestore, now } = change;
    const { team, member } = change.membership;
    const offer = offerTo(change.membership, caller);
    if (!caller.emailVerified) {
      throw refuse('email_unverified', { act: 'accept a team' });
    }
    if (isOfferExpired(offer, now)) throw refuse('transfer_expired');
    await assertFromOwner(change, offer);
    const owner = memberRef(firestore, teamId, offer.from);
    if (offer.coOwner) {
      closeOffer(transaction, firestore, teamId);
    } else {
      if (team.ownerId !== caller.uid)
        await assertBelowTeamLimit(transaction, firestore, backend.config, caller.uid);
      const loss = { transaction, firestore, teamId, uid: offer.from, role: 'admin' as const };
      const writeGrants = await backend.hooks.endGrants({
        ...loss,
        actorId: caller.uid,
        now,
        auditDays: backend.auditDays,
      });
      writeGrants();
      transaction.update(owner, { role: 'admin' });
      transaction.update(teamRef(firestore, teamId), { ownerId: caller.uid, transfer: null });
    }
    transaction.update(memberRef(firestore, teamId, caller.uid), { role: 'owner' });
    const details = { from: member.role, offeredBy: offer.from };
    if (offer.coOwner) change.record('member.role_changed', caller.uid, { ...details, to: 'owner' });
    else change.record('team.transferred', caller.uid, details);
  });
}

/**
 * Refuses an offer to the caller, expired or not.
 *
 * @throws Refusal as authorize; 404 without an offer to the caller
 */
export function declineTransfer(backend: Backend, caller: Caller, teamId: string): Promise<void> {
  return actOnTransfer({ backend, caller, teamId, action: 'transfer:answer' }, (change) => {
    offerTo(change.membership, caller);
    closeOffer(change.transaction, change.firestore, teamId);
    change.record('team.transfer_declined', caller.uid, {});
  });
}

/**
 * Withdraws an offer. Its maker and every other owner may do this.
 *
 * @throws Refusal as authorize; 404 without an offer
 */
export function withdrawTransfer(backend: Backend, caller: Caller, teamId: string): Promise<void> {
  return actOnTransfer({ backend, caller, teamId, action: 'team:transfer' }, (change) => {
    const offer = change.membership.team.transfer;
    if (!offer) throw noOffer();
    closeOffer(change.transaction, change.firestore, teamId);
    change.record('team.transfer_withdrawn', offer.to, {});
  });
}

interface Change {
  transaction: Transaction;
  firestore: Firestore;
  teamId: string;
  membership: Membership;
  now: Date;
  record: (action: AuditAction, target: string, details: Record<string, string>) => void;
}

async function actOnTransfer<Result>(
  { backend, caller, teamId, action }: { backend: Backend; caller: Caller; teamId: string; action: Action },
  act: (change: Change) => Result | Promise<Result>,
): Promise<Result> {
  const firestore = await backend.firestore();
  return transact(firestore, async (transaction) => {
    const membership = await authorizeLegacy(transaction, firestore, caller, teamId, action);
    const now = backend.now();
    const record: Change['record'] = (did, target, details) => {
      recordAudit(transaction, firestore, {
        teamId,
        actorId: caller.uid,
        action: did,
        target,
        at: now,
        keptDays: backend.auditDays,
        details,
      });
    };
    return act({ transaction, firestore, teamId, membership, now, record });
  });
}

const noOffer = () => refuse('transfer_not_found');

/** @throws Refusal 404 when the team is offered to nobody or to somebody else */
function offerTo({ team }: Membership, { uid }: Caller): TransferOffer {
  if (team.transfer?.to !== uid) throw noOffer();
  return team.transfer;
}

/** @throws Refusal 410 when the maker of the offer is no longer an owner */
async function assertFromOwner(
  { transaction, firestore, teamId }: Change,
  offer: TransferOffer,
): Promise<void> {
  const maker = (await transaction.get(memberRef(firestore, teamId, offer.from))).data();
  if (maker?.role !== 'owner') throw refuse('transfer_withdrawn');
}
