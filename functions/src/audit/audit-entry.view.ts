import * as z from 'zod';
import { instant } from '../common/instant.ts';
import { AUDIT_ACTIONS, type AuditEntry } from '../firestore/documents/audit-entry.ts';

export const auditEntryView = z
  .strictObject({
    id: z.string(),
    actorId: z
      .string()
      .describe('The uid of the user who acted, `system`, or a pseudonym if their account was deleted.'),
    action: z.enum(AUDIT_ACTIONS).meta({
      id: 'AuditAction',
      description: 'Later versions may add some. `x-extensible-enum` lists those of this version.',
      isOpen: true,
    }),
    target: z
      .string()
      .describe('The id of the team, invitation or upload, or the uid of the member, that was changed.'),
    at: instant,
    details: z.record(z.string(), z.string().nullable()),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntryView = z.output<typeof auditEntryView>;

export function auditEntryViewOf(id: string, entry: AuditEntry): AuditEntryView {
  const { actorId, action, target, at, details } = entry;
  return { id, actorId, action, target, at: at.toISOString(), details };
}
