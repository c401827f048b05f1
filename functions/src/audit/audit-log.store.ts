import type { CollectionReference, Firestore, Timestamp, Transaction } from 'firebase-admin/firestore';
import { collectionOf } from '../firestore/documents.ts';
import type { Reads } from '../firestore/db.ts';
import type { AuditAction, AuditEntry as AuditEntryDocument } from '../firestore/documents/audit-entry.ts';
import { readPage, type Page, type PageOf } from '../firestore/page.ts';
import type { Stored } from '../firestore/query.ts';
import type { AuditEntryView } from './audit-entry.view.ts';

export type { AuditAction } from '../firestore/documents/audit-entry.ts';

/** In the place of a uid: what nobody asked for at that moment. */
export const SYSTEM = 'system';

/**
 * `auditLog/{id}`: actor, action and time of an action on a team. Kept after the team is deleted. It only changes when a
 * user's account is deleted: a pseudonym replaces their uid and address.
 */
export interface AuditEntry {
  teamId: string;
  /** The uid or pseudonym of the user who did it, or `system`. */
  actorId: string;
  action: AuditAction;
  /** The id of the team, invitation or upload, or the uid or pseudonym of the member, that it was done to. */
  target: string;
  at: Timestamp;
  details: Readonly<Record<string, string | null>>;
  /** When Firestore's TTL policy removes it. */
  deleteAt: Timestamp;
}

export type NewAuditEntry = Omit<AuditEntry, 'at' | 'details' | 'deleteAt'> & {
  at: Date;
  /** How long it is kept: `AUDIT_DAYS`. */
  keptDays: number;
  details?: AuditEntry['details'];
};

/** Writes an entry together with what it tells of: both are there or neither is. */
export function recordAudit(
  transaction: Transaction,
  firestore: Firestore,
  { keptDays, ...entry }: NewAuditEntry,
): void {
  const deleteAt = new Date(entry.at.getTime() + keptDays * 86_400_000);
  transaction.create(firestore.collection('auditLog').doc(), { details: {}, ...entry, deleteAt });
}

export function auditLog(firestore: Firestore): CollectionReference<AuditEntry> {
  return collectionOf<AuditEntry>(firestore, 'auditLog');
}

/** One page of the entries of a team, latest first. */
export function readAuditLog(reads: Reads, teamId: string, page: Page): Promise<PageOf<AuditEntryView>> {
  const entries = reads.auditLog.where('teamId', '==', teamId);
  return readPage(entries, page, { by: 'at', direction: 'desc' }, viewOf);
}

function viewOf({ id, data }: Stored<AuditEntryDocument>): AuditEntryView {
  const { actorId, action, target, at, details } = data;
  return { id, actorId, action, target, at: at.toISOString(), details };
}
