import type { Backend } from '../backend.ts';
import type { AuditAction, NewAuditEntry } from '../firestore/documents/audit-entry.ts';
import type { Subject } from './customers/subject.ts';

/** Records what a member of a team is about to do at Stripe. Records nothing for a user's own subscription. */
export async function recordBillingAction(
  { db, now }: Backend,
  { type, customerId, callerId }: Subject,
  action: AuditAction,
  details: NonNullable<NewAuditEntry['details']> = {},
): Promise<void> {
  if (type === 'user') return;
  await db.run((tx) => {
    tx.audit.record({
      teamId: customerId,
      actorId: callerId,
      action,
      target: customerId,
      at: now(),
      details,
    });
    return Promise.resolve();
  });
}
