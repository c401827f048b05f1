import type { AuditEntry } from '../firestore/documents/audit-entry.ts';
import { exportAll, type ExportParts } from '../personal-data/export-parts.ts';

export const AUDIT_EXPORT: ExportParts = {
  /** Entries of actions by the user. */
  auditEntriesBy: {
    many: (db, { uid }) => exportAll(db.auditLog.where('actorId', '==', uid), ({ data }) => data),
  },
  /** Entries of actions on the user, without the actor. */
  auditEntriesAbout: {
    many: (db, { uid }) =>
      exportAll(db.auditLog.where('target', '==', uid), ({ data }) => withoutActor(data)),
  },
};

function withoutActor({ teamId, action, target, at, details }: AuditEntry): object {
  return { teamId, action, target, at, details };
}
