import type { AuditEntry, Role } from '@hearth/client';
import type { Timestamp } from 'firebase/firestore';
import type { Found } from '../backend/live.ts';

/** The documents in Firestore (docs/data-model.md), as far as the pages show them. */

export interface Membership {
  teamId: string;
  role: Role;
}

export interface TeamDocument {
  id: string;
  name: string;
  slug: string;
  ownerId: string;
  seatLimit: number;
  plan: string;
  /** Whether a subscription of the team is running; undefined before the first one. */
  subscribed?: boolean;
  /** The offer of the team to a member, open or expired. */
  transfer: TransferDocument | undefined;
}

export interface TransferDocument {
  from: string;
  to: string;
  coOwner: boolean;
  expiresAt: Date;
}

export interface MemberDocument {
  uid: string;
  role: Role;
  email: string | null;
  displayName: string | null;
  joinedAt: Date;
}

export interface InvitationDocument {
  id: string;
  teamId: string;
  teamName: string;
  email: string;
  role: Role;
  expiresAt: Date;
}

export type AuditDocument = Omit<AuditEntry, 'at' | 'id'> & { id: string; at: Date };

const dateOf = (found: Found, field: string): Date => (found[field] as Timestamp).toDate();

export const readTeam = (found: Found): TeamDocument => {
  const offer = found['transfer'] as Found | null | undefined;
  return { ...(found as unknown as TeamDocument), transfer: offer ? readTransfer(offer) : undefined };
};

const readTransfer = (offer: Found): TransferDocument => ({
  ...(offer as unknown as TransferDocument),
  expiresAt: dateOf(offer, 'expiresAt'),
});

export const readMember = (found: Found): MemberDocument => ({
  ...(found as unknown as MemberDocument),
  joinedAt: dateOf(found, 'joinedAt'),
});

export const readInvitation = (found: Found): InvitationDocument => ({
  ...(found as unknown as InvitationDocument),
  expiresAt: dateOf(found, 'expiresAt'),
});

export const readAudit = (found: Found): AuditDocument => ({
  ...(found as unknown as AuditDocument),
  at: dateOf(found, 'at'),
});
