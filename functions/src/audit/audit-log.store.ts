import type { Reads } from '../firestore/db.ts';
import { readPage, type PageRequest, type PageOf } from '../firestore/page.ts';
import { auditEntryViewOf, type AuditEntryView } from './audit-entry.view.ts';

export { SYSTEM, type AuditAction } from '../firestore/documents/audit-entry.ts';

/** The entries of a team, latest first. */
export function readAuditLog(
  reads: Reads,
  teamId: string,
  page: PageRequest,
): Promise<PageOf<AuditEntryView>> {
  const entries = reads.auditLog.where('teamId', '==', teamId);
  return readPage(entries, page, { by: 'at', direction: 'desc' }, ({ id, data }) =>
    auditEntryViewOf(id, data),
  );
}
