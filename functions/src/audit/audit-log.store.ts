import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type { Reads } from '../firestore/db.ts';
import type { NewAuditEntry } from '../firestore/documents/audit-entry.ts';
import { readPage, type Page, type PageOf } from '../firestore/page.ts';
import { auditEntryViewOf, type AuditEntryView } from './audit-entry.view.ts';

export { SYSTEM, type AuditAction } from '../firestore/documents/audit-entry.ts';

/** The old form of `tx.audit.record`. */
export function recordAudit(
  transaction: Transaction,
  firestore: Firestore,
  { keptDays, ...entry }: NewAuditEntry & { keptDays: number },
): void {
  const deleteAt = new Date(entry.at.getTime() + keptDays * 86_400_000);
  transaction.create(firestore.collection('auditLog').doc(), { details: {}, ...entry, deleteAt });
}

/** The entries of a team, latest first. */
export function readAuditLog(reads: Reads, teamId: string, page: Page): Promise<PageOf<AuditEntryView>> {
  const entries = reads.auditLog.where('teamId', '==', teamId);
  return readPage(entries, page, { by: 'at', direction: 'desc' }, ({ id, data }) =>
    auditEntryViewOf(id, data),
  );
}
