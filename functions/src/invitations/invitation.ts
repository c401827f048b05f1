import { randomBytes } from 'node:crypto';
import { LINK_CONTENT } from '@hearth/shared/invitation-links';
import * as z from 'zod';
import { hasVerifiedContact, type Caller } from '../auth/caller.ts';
import { DAY_MS } from '../common/durations.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import { refusal } from '../refusals/refusals.ts';
import { hasSecret } from './secret.ts';

/**
 * Statuses in the lists of the API. A stored `pending` is listed as `expired` after `expiresAt`. Therefore a listed
 * `pending` invitation is open.
 */
export const LISTED_STATUSES = ['pending', 'accepted', 'rejected', 'cancelled', 'expired'] as const;

export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** Time that an invitation is kept after `expiresAt`. The audit log keeps its history. */
const KEPT_AFTER_EXPIRY_MS = 90 * DAY_MS;

/** The times of an invitation that is sent now. @param days until it expires */
export function lifetimeFrom(now: Date, days: number): Pick<Invitation, 'expiresAt' | 'deleteAt'> {
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  return { expiresAt, deleteAt: new Date(expiresAt.getTime() + KEPT_AFTER_EXPIRY_MS) };
}

/**
 * 160 random bits in lower-case hex. If a mail program changes the case of a link, the link is malformed and nothing is
 * looked up.
 */
export const INVITATION_ID = /^[0-9a-f]{40}$/;

export function newInvitationId(): string {
  return randomBytes(20).toString('hex');
}

/**
 * The content of a link to an invitation. The links of a mail and of a shared invitation have the secret. The links in
 * lists of the API have no secret.
 */
export interface LinkContent {
  id: string;
  secret: string | undefined;
}

/** True for an invitation without an address. One person who has its link can accept it. */
export function isShared({ email }: Pick<Invitation, 'email'>): boolean {
  return email === null;
}

/** A parameter of the query or path: `<id>.<secret>`, or `<id>` without the secret. */
export const invitationLinkSchema = z
  .string({ error: 'The invitation link is incomplete.' })
  .regex(LINK_CONTENT, 'The invitation link is malformed.')
  .transform((text): LinkContent => {
    const [, id = '', secret] = LINK_CONTENT.exec(text) ?? [];
    return { id, secret };
  });

export function isExpired({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now;
}

/** True for an invitation that can still be accepted. */
export function isOpen(invitation: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return invitation.status === 'pending' && !isExpired(invitation, now);
}

export function listedStatusOf(
  { status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>,
  now: Date,
): ListedStatus {
  return status === 'pending' && isExpired({ expiresAt }, now) ? 'expired' : status;
}

/** A caller who may be the recipient of an invitation. */
export interface CallerWithSecret extends Pick<Caller, 'email' | 'emailVerified'> {
  phoneNumber?: string | undefined;
  /** The secret of the link, if there is one. */
  secret?: string | undefined;
}

/**
 * Requires that the caller is the recipient of an open invitation. The caller is checked before the status, so that a
 * stranger with the link does not learn the status.
 *
 * @throws Refusal as `requireRecipient` and `requireOpen`
 */
export function requireOpenInvitationTo(
  caller: CallerWithSecret,
  invitation: Invitation | undefined,
  now: Date,
): asserts invitation is Invitation {
  if (invitation === undefined) throw refusal('invitation_not_found');
  requireRecipient(caller, invitation);
  requireOpen(invitation, now);
}

/**
 * Requires that the caller is the recipient:
 *
 * - For an invitation to an address, the caller has this address, and it is verified.
 * - For a shared invitation, the caller has the secret, and a verified address or a phone number.
 *
 * @throws Refusal `invitation_not_found`, `not_recipient`, `reply_unverified`
 */
function requireRecipient(caller: CallerWithSecret, invitation: Invitation): void {
  const needsSecret = isShared(invitation);
  if (needsSecret && !hasSecret(invitation, caller.secret)) throw refusal('invitation_not_found');
  if (!needsSecret && caller.email?.toLowerCase() !== invitation.email) throw refusal('not_recipient');
  const isVerified = needsSecret ? hasVerifiedContact(caller) : caller.emailVerified;
  if (!isVerified) throw refusal('reply_unverified');
}

/**
 * Requires that an invitation can still be accepted. If a shared invitation is closed or expired, the refusal does not
 * say which: a stranger may have found a used link.
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
 * Requires that an invitation is pending, open or expired. All other statuses are final.
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
