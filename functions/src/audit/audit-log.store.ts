import type { Firestore, Timestamp, Transaction } from 'firebase-admin/firestore';
import * as z from 'zod';
import { instant } from '../instant.ts';
import { collectionOf } from '../documents.ts';
import { readPage, type Page, type PageOf } from '../page.ts';

const AUDIT_ACTIONS = [
  'team.created',
  'team.updated',
  'team.transfer_offered',
  'team.transfer_declined',
  'team.transfer_withdrawn',
  'team.transferred',
  'team.deletion_started',
  'team.deleted',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.resent',
  'invitation.cancelled',
  'invitation.accepted',
  'invitation.rejected',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** In the place of a uid: what nobody asked for at that moment. */
export const SYSTEM = 'system';

/** `auditLog/{id}`: who did what to which team, when. Never changed, and kept when the team is gone. */
export interface AuditEntry {
  teamId: string;
  /** The uid of who did it, or `system`. */
  actorId: string;
  action: AuditAction;
  /** The id of the team, the uid of the member or the id of the invitation that it was done to. */
  target: string;
  at: Timestamp;
  details: Readonly<Record<string, string | null>>;
}

export type NewAuditEntry = Omit<AuditEntry, 'at' | 'details'> & {
  at: Date;
  details?: AuditEntry['details'];
};

/** Writes an entry together with what it tells of: both are there or neither is. */
export function recordAudit(transaction: Transaction, firestore: Firestore, entry: NewAuditEntry): void {
  transaction.create(firestore.collection('auditLog').doc(), { details: {}, ...entry });
}

export const auditEntryView = z
  .strictObject({
    id: z.string(),
    actorId: z.string().describe('The uid of who did it.'),
    action: z.enum(AUDIT_ACTIONS),
    target: z
      .string()
      .describe('The id of the team or invitation, or the uid of the member, that it was done to.'),
    at: instant,
    details: z.record(z.string(), z.string().nullable()),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntryView = z.output<typeof auditEntryView>;

/** The entries of a team, latest first. */
export function readAuditLog(
  firestore: Firestore,
  teamId: string,
  page: Page,
): Promise<PageOf<AuditEntryView>> {
  const entries = collectionOf<AuditEntry>(firestore, 'auditLog').where('teamId', '==', teamId);
  return readPage(entries, page, { by: 'at', direction: 'desc' }, view);
}

function view(id: string, { actorId, action, target, at, details }: AuditEntry): AuditEntryView {
  return { id, actorId, action, target, at: at.toDate().toISOString(), details };
}
