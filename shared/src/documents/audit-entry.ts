import * as z from 'zod/mini';

/** Actions that may concern a team. The team's log has them. */
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
] as const;

/** Actions of operators on a user. No team's log has them. */
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
] as const;

export const AUDIT_ACTIONS = [...TEAM_ACTIONS, ...USER_ACTIONS] as const;

export type TeamAction = (typeof TEAM_ACTIONS)[number];

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The actor of an action that no user asked for at that moment. */
export const SYSTEM = 'system';

/**
 * `auditLog/{id}`: actor, action and time of an action on a team. Kept after the team is deleted. It only changes when
 * a user's account is deleted: a pseudonym replaces their uid and address.
 */
export const auditEntrySchema = z.object({
  /** Empty for an action of an operator that concerns no team. */
  teamId: z.string(),
  /**
   * The uid or pseudonym of the user who did it, `system`, or `cli:` and a name for an operator at the command line.
   */
  actorId: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** The id of the team, invitation or upload, or the uid or pseudonym of the member, that it was done to. */
  target: z.string(),
  at: z.date(),
  details: z._default(z.record(z.string(), z.nullable(z.string())), {}),
  /** When Firestore's TTL policy deletes the entry. */
  deleteAt: z.exactOptional(z.date()),
});

export type AuditEntry = z.output<typeof auditEntrySchema>;

/** An entry to record. Its expiry follows from `AUDIT_DAYS`. */
export type NewAuditEntry = Omit<AuditEntry, 'details' | 'deleteAt'> & { details?: AuditEntry['details'] };
