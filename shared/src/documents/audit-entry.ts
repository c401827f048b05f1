import * as z from 'zod/mini';

/** Actions that can be in the audit log of a team. */
export const TEAM_ACTIONS = [
  'team.created',
  'team.updated',
  'team.transfer_offered',
  'team.transfer_declined',
  'team.transfer_withdrawn',
  'team.transferred',
  'team.deletion_started',
  'team.deleted',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.resent',
  'invitation.cancelled',
  'invitation.accepted',
  'invitation.rejected',
  'billing.checkout_begun',
  'billing.portal_opened',
  'billing.change_requested',
  'billing.add_on_requested',
  'billing.cancel_requested',
  'billing.resume_requested',
  'billing.plan_changed',
  'billing.duplicate_ended',
  'upload.removed',
  'upload.url_revoked',
  'admin.owner_changed',
  'admin.plan_given',
  'admin.plan_taken',
  'admin.invitation_resent',
  'admin.upload_removed',
  'admin.subscription_synced',
  'admin.checkout_linked',
] as const;

/** Actions of operators on a user, or on everybody. They are never in the audit log of a team. */
const USER_ACTIONS = [
  'admin.claim_given',
  'admin.claim_taken',
  'admin.user_changed',
  'admin.sessions_ended',
  'admin.user_exported',
  'admin.user_deleted',
  'admin.impersonation_started',
  'admin.impersonated_request',
  'admin.mail_sent',
  'admin.mail_resent',
  'admin.usage_closed',
  'admin.events_recovered',
] as const;

export const AUDIT_ACTIONS = [...TEAM_ACTIONS, ...USER_ACTIONS] as const;

export type TeamAction = (typeof TEAM_ACTIONS)[number];

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The actor of an action that no user asked for at that moment. */
export const SYSTEM = 'system';

/**
 * `auditLog/{id}`: an action on a team, or of an operator on a user. An entry stays when the team is deleted, and
 * changes only when an account is deleted: a pseudonym replaces the uid and the address of the user.
 */
export const auditEntrySchema = z.object({
  /** Empty for an action of an operator that concerns no team. */
  teamId: z.string(),
  /**
   * The uid or pseudonym of the user who acted, `system`, or `cli:` and a name for an operator at the command line.
   */
  actorId: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** The target of the action: the uid or pseudonym of a user, or an id, such as the id of a team or an upload. */
  target: z.string(),
  at: z.date(),
  details: z._default(z.record(z.string(), z.nullable(z.string())), {}),
  /** When Firestore's TTL policy deletes the entry. */
  deleteAt: z.exactOptional(z.date()),
});

export type AuditEntry = z.output<typeof auditEntrySchema>;

/** An entry to record. Its expiry follows from `AUDIT_DAYS`. */
export type NewAuditEntry = Omit<AuditEntry, 'details' | 'deleteAt'> & { details?: AuditEntry['details'] };
