import * as z from 'zod';
import { instant } from '../common/instant.ts';
import { AUDIT_ACTIONS } from '../firestore/documents/audit-entry.ts';

export const auditEntryView = z
  .strictObject({
    id: z.string(),
    actorId: z
      .string()
      .describe('The uid of the user who did it, `system`, or a pseudonym if their account was deleted.'),
    action: z.enum(AUDIT_ACTIONS).meta({ id: 'AuditAction' }),
    target: z
      .string()
      .describe('The id of the team, invitation or upload, or the uid of the member, that it was done to.'),
    at: instant,
    details: z.record(z.string(), z.string().nullable()),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntryView = z.output<typeof auditEntryView>;
