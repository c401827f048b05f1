import { createHash, randomBytes } from 'node:crypto';
import { LINK_CONTENT } from '@hearth/shared/invitation-links';
import * as z from 'zod';
import { hasVerifiedContact, type Caller } from '../auth/caller.ts';
import { DAY_MS } from '../common/durations.ts';
import { areEqualTexts } from '../common/equal-texts.ts';
import type { Invitation, InvitationStatus } from '../firestore/documents/invitation.ts';
import { refusal, type Refusal } from '../refusals/refusals.ts';

/** Lower case only. */
export const INVITATION_ID = /^[0-9a-f]{40}$/;

export function newInvitationId(): string {
  return random160Bits();
}

/** The secret of a link. The invitation stores only a hash, so that nobody can make a link from a backup. */
export function newSecret(): string {
  return random160Bits();
}

function random160Bits(): string {
  return randomBytes(20).toString('hex');
}

export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** True if a link has the secret of the invitation. An invitation of an older version of the service has no secret. */
export function hasSecret(
  { secretHash }: Pick<Invitation, 'secretHash'>,
  secret: string | undefined,
): boolean {
  if (secret === undefined || typeof secretHash !== 'string') return false;
  return areEqualTexts(hashOfSecret(secret), secretHash);
}

/**
 * The content of a link to an invitation. Two links have the secret: the link in a mail, and the link of a shared
 * invitation. All other links have no secret.
 */
export interface InvitationLink {
  id: string;
  secret: string | undefined;
}

/** A parameter of the query or path: `<id>.<secret>`, or `<id>` without the secret. */
export const invitationLinkSchema = z
  .string({ error: 'The invitation link is incomplete.' })
  .regex(LINK_CONTENT, 'The invitation link is malformed.')
  .transform((text): InvitationLink => {
    const [, id = '', secret] = LINK_CONTENT.exec(text) ?? [];
    return { id, secret };
  });

/**
 * The query of a link: `invitationId` is `<id>`, or `<id>.<secret>`. It is parsed to `{ id, secret }`. The parameter
 * keeps this name, because links in mailboxes have it.
 */
export const linkQuery = z.object({ invitationId: invitationLinkSchema });

/** True for an invitation without an address. One person who has its link can accept it. */
export function isShared({ email }: Pick<Invitation, 'email'>): boolean {
  return email === null;
}

/** Time that an invitation is kept after `expiresAt`. The audit log keeps its history. */
const KEPT_AFTER_EXPIRY_MS = 90 * DAY_MS;

/**
 * The times of an invitation that is sent now.
 *
 * @param days until it expires
 */
export function lifetimeFrom(now: Date, days: number): Pick<Invitation, 'expiresAt' | 'deleteAt'> {
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  return { expiresAt, deleteAt: new Date(expiresAt.getTime() + KEPT_AFTER_EXPIRY_MS) };
}

export function isExpired({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now;
}

/** True for an invitation that can still be accepted. */
export function isOpen(invitation: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return invitation.status === 'pending' && !isExpired(invitation, now);
}

/** Statuses in the lists of the API. */
export const LISTED_STATUSES = ['pending', 'accepted', 'rejected', 'cancelled', 'expired'] as const;

export type ListedStatus = (typeof LISTED_STATUSES)[number];

export function listedStatusOf(
  { status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>,
  now: Date,
): ListedStatus {
  return status === 'pending' && isExpired({ expiresAt }, now) ? 'expired' : status;
}

/** A caller who may be the recipient of an invitation. */
export interface PossibleRecipient extends Pick<Caller, 'email' | 'emailVerified'> {
  phoneNumber?: string | undefined;
}

/**
 * Requires that the caller is the recipient of an open invitation. The caller is checked before the status, so that a
 * stranger with the link does not learn the status.
 *
 * @param secret the secret of the link; undefined for a link without a secret
 * @throws Refusal as `requireHolderOfLink` for a shared invitation, as `requireAddressee` for another; as `requireOpen`
 */
export function requireOpenInvitationTo(
  { caller, secret }: { caller: PossibleRecipient; secret?: string | undefined },
  invitation: Invitation | undefined,
  now: Date,
): asserts invitation is Invitation {
  if (invitation === undefined) throw refusal('invitation_not_found');
  if (isShared(invitation)) requireHolderOfLink(caller, secret, invitation);
  else requireAddressee(caller, invitation);
  requireOpen(invitation, now);
}

/** @throws Refusal `invitation_not_found` without the secret; `reply_unverified` */
function requireHolderOfLink(
  caller: PossibleRecipient,
  secret: string | undefined,
  invitation: Invitation,
): void {
  if (!hasSecret(invitation, secret)) throw refusal('invitation_not_found');
  if (!hasVerifiedContact(caller)) throw refusal('reply_unverified');
}

/** @throws Refusal `not_recipient`, `reply_unverified` */
function requireAddressee({ email, emailVerified }: PossibleRecipient, invitation: Invitation): void {
  if (email?.toLowerCase() !== invitation.email) throw refusal('not_recipient');
  if (!emailVerified) throw refusal('reply_unverified');
}

/**
 * Requires that an invitation is open. For a shared invitation the refusal does not say whether the invitation is
 * closed or expired, because a stranger may have found a used link.
 *
 * @throws Refusal `already_accepted`, `already_rejected`, `invitation_cancelled`, `invitation_expired`,
 *   `shared_link_closed`
 */
export function requireOpen(invitation: Pick<Invitation, 'email' | 'status' | 'expiresAt'>, now: Date): void {
  if (isShared(invitation) && !isOpen(invitation, now)) throw refusal('shared_link_closed');
  requirePending(invitation);
  if (isExpired(invitation, now)) throw refusal('invitation_expired');
}

/**
 * Requires that an invitation is pending. It may have expired. All other statuses are final.
 *
 * @throws Refusal `already_accepted`, `already_rejected`, `invitation_cancelled`
 */
export function requirePending({ status }: Pick<Invitation, 'status'>): void {
  switch (status) {
    case 'accepted':
      throw refusal('already_accepted');
    case 'rejected':
      throw refusal('already_rejected');
    case 'cancelled':
      throw refusal('invitation_cancelled');
    case 'pending':
  }
}

/** The change that closes a pending invitation. */
export function closingChange(
  status: Exclude<InvitationStatus, 'pending'>,
  now: Date,
): Pick<Invitation, 'status' | 'respondedAt'> {
  return { status, respondedAt: now };
}

/**
 * The refusal of an open invitation whose sender can no longer invite to its role.
 *
 * @returns `shared_link_closed` for a shared invitation, otherwise `invitation_cancelled`
 */
export function refusalForSenderWithoutRight(invitation: Invitation): Refusal {
  return refusal(isShared(invitation) ? 'shared_link_closed' : 'invitation_cancelled');
}
