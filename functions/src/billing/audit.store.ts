import type { Backend } from '../backend.ts';
import type { Tx } from '../firestore/db.ts';
import type { AuditAction, NewAuditEntry } from '../firestore/documents/audit-entry.ts';
import type { Subject, SubjectKey } from './subject.ts';

/** A user or team, and the person or `system` that acts on its billing. */
type ActingSubject = SubjectKey & { actor: Pick<Subject['actor'], 'uid'> };

/** Records an action on the billing of a team. Records nothing for a user's own billing. */
export function recordForTeamIn(
  tx: Tx,
  { type, customerId, actor }: ActingSubject,
  entry: Pick<NewAuditEntry, 'action' | 'at' | 'details'>,
): void {
  if (type === 'user') return;
  tx.audit.record({ ...entry, teamId: customerId, actorId: actor.uid, target: customerId });
}

/** Like `recordForTeamIn`, in a transaction of its own. */
export async function recordForTeam(
  { db, now }: Backend,
  subject: ActingSubject,
  action: AuditAction,
  details: NonNullable<NewAuditEntry['details']> = {},
): Promise<void> {
  if (subject.type === 'user') return;
  await db.run((tx) => {
    recordForTeamIn(tx, subject, { action, at: now(), details });
    return Promise.resolve();
  });
}
