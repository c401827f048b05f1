import type { Backend } from '../backend.ts';
import type { Tx } from '../firestore/db.ts';
import type { AuditAction, NewAuditEntry } from '../firestore/documents/audit-entry.ts';
import type { Subject } from './customers/subject.ts';

/** A user or team that pays, and who acts on its billing: a uid, or `system`. */
type Payer = Pick<Subject, 'type' | 'customerId' | 'callerId'>;

/** Records an action on the billing of a team in the caller's transaction. Records nothing for a user's own billing. */
export function recordForTeam(
  tx: Tx,
  { type, customerId, callerId }: Payer,
  entry: Pick<NewAuditEntry, 'action' | 'at' | 'details'>,
): void {
  if (type === 'user') return;
  tx.audit.record({ ...entry, teamId: customerId, actorId: callerId, target: customerId });
}

/** Records what a member of a team is about to do at Stripe. Records nothing for a user's own subscription. */
export async function recordBillingAction(
  { db, now }: Backend,
  payer: Payer,
  action: AuditAction,
  details: NonNullable<NewAuditEntry['details']> = {},
): Promise<void> {
  if (payer.type === 'user') return;
  await db.run((tx) => {
    recordForTeam(tx, payer, { action, at: now(), details });
    return Promise.resolve();
  });
}
