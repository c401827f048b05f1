import { readAll, type ExportParts } from '../personal-data/export-parts.ts';
import { auditLog, type AuditEntry } from './audit-log.store.ts';

function withoutActor({ teamId, action, target, at, details }: AuditEntry): object {
  return { teamId, action, target, at, details };
}

export const AUDIT_EXPORT: ExportParts = {
  /** Entries of actions by the user. */
  auditEntriesBy: {
    many: (firestore, { uid }) => readAll(auditLog(firestore).where('actorId', '==', uid), (entry) => entry),
  },
  /** Entries of actions on the user, without the actor. */
  auditEntriesAbout: {
    many: (firestore, { uid }) => readAll(auditLog(firestore).where('target', '==', uid), withoutActor),
  },
};
