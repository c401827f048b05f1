export {
  AUDIT_ACTIONS,
  SYSTEM,
  auditEntrySchema,
  type AuditAction,
  type AuditEntry,
  type NewAuditEntry,
} from '@hearth/shared/documents/audit-entry';
