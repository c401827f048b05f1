import { readAll, type ExportParts } from '../personal-data.ts';
import { auditLog, type AuditEntry } from './audit-log.store.ts';

function withoutActor({ teamId, action, target, at, details }: AuditEntry): object {
  return { teamId, action, target, at, details };
}

export const AUDIT_EXPORT: ExportParts = {
  /** What the user did. */
  auditEntriesBy: {
    many: (firestore, { uid }) => readAll(auditLog(firestore).where('actorId', '==', uid), (entry) => entry),
  },
  /** What was done to the user, without who did it. */
  auditEntriesAbout: {
    many: (firestore, { uid }) => readAll(auditLog(firestore).where('target', '==', uid), withoutActor),
  },
};
