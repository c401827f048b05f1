import type { TeamAction } from '@hearth/shared/documents/audit-entry';

/** An entry of the audit log, with the people as they are named in a sentence. */
export interface NamedEntry {
  /** The person who did it, at the beginning of a sentence. */
  actor: string;
  /** Whether the visitor did it. */
  byVisitor: boolean;
  /** The member to whom it was done, inside a sentence. */
  whom: string;
  /** The address of the invitation, or of the member who left, inside a sentence. */
  email: string;
  /** The same address, at the beginning of a sentence. */
  emailFirst: string;
  /** The day until which support gave a plan. */
  until: string;
  details: Readonly<Record<string, string | null>>;
}

type Sentences = Readonly<Record<TeamAction, (entry: NamedEntry) => string>>;

const SENTENCES: Sentences = {
  'team.created': ({ actor }) => `${actor} created the team`,
  'team.updated': ({ actor, details: { name, slug } }) =>
    name === undefined
      ? `${actor} changed the team’s short name to ${slug ?? ''}`
      : `${actor} renamed the team to ${name}`,
  'team.transfer_offered': ({ actor, whom, details }) =>
    details['coOwner'] === undefined
      ? `${actor} offered the team to ${whom}`
      : `${actor} offered ${whom} to become an owner`,
  'team.transfer_declined': ({ actor }) => `${actor} declined the offer of the team`,
  'team.transfer_withdrawn': ({ actor, whom, details }) =>
    details['reason'] === undefined
      ? `${actor} withdrew the offer of the team to ${whom}`
      : `The offer of the team to ${whom} ended`,
  'team.transferred': ({ actor, whom, details }) =>
    details['offeredBy'] === undefined
      ? `${actor} handed the team over to ${whom}`
      : `${actor} took over the team`,
  'team.deletion_started': ({ actor }) => `${actor} began to delete the team`,
  'team.deleted': ({ actor }) => `${actor} deleted the team`,
  'member.role_changed': ({ actor, whom, details }) =>
    details['offeredBy'] === undefined
      ? `${actor} made ${whom} ${details['to'] ?? ''}`
      : `${actor} became ${details['to'] ?? ''}`,
  'member.removed': ({ actor, email }) => `${actor} removed ${email}`,
  'member.left': ({ emailFirst }) => `${emailFirst} left`,
  'invitation.created': ({ actor, email, details }) =>
    `${actor} invited ${email} as ${details['role'] ?? ''}`,
  'invitation.resent': ({ actor, email }) => `${actor} invited ${email} once more`,
  'invitation.cancelled': ({ actor, email, details }) =>
    details['reason'] === undefined
      ? `${actor} withdrew the invitation for ${email}`
      : `The invitation for ${email} ended with the rights of its sender`,
  'invitation.accepted': ({ actor, details }) => `${actor} joined as ${details['role'] ?? ''}`,
  'invitation.rejected': ({ emailFirst }) => `${emailFirst} declined the invitation`,
  'billing.checkout_begun': ({ actor, details }) => `${actor} began to buy the plan ${details['plan'] ?? ''}`,
  'billing.portal_opened': ({ actor }) => `${actor} opened the billing portal`,
  'billing.change_requested': ({ actor, details }) =>
    details['when'] === 'period_end'
      ? `${actor} planned to change the plan to ${details['plan'] ?? ''}`
      : `${actor} changed the plan to ${details['plan'] ?? ''}`,
  'billing.add_on_requested': ({ actor, details: { addOn, quantity } }) =>
    quantity === '0'
      ? `${actor} removed the add-on ${addOn ?? ''}`
      : `${actor} set the add-on ${addOn ?? ''} to ${quantity ?? ''}`,
  'billing.cancel_requested': ({ actor }) => `${actor} cancelled the subscription`,
  'billing.resume_requested': ({ actor }) => `${actor} resumed the subscription`,
  'billing.plan_changed': ({ details: { from, to } }) => `The plan changed from ${from ?? ''} to ${to ?? ''}`,
  'billing.duplicate_ended': () => 'A second subscription to the same plan was ended',
  'upload.removed': ({ actor }) => `${actor} removed a file`,
  'upload.url_revoked': ({ actor }) => `${actor} replaced the link of a file`,
  // Operators are no members.
  'admin.owner_changed': ({ whom }) => `Support made ${whom} the owner`,
  'admin.plan_given': ({ details: { plan }, until }) =>
    `Support gave the team the plan ${plan ?? ''} until ${until}`,
  'admin.plan_taken': () => 'Support ended the plan that it gave the team',
  'admin.invitation_resent': () => 'Support sent an invitation once more',
  'admin.upload_removed': () => 'Support removed a file',
  'admin.subscription_synced': () => 'Support updated the subscription',
  'admin.checkout_linked': () => 'Support linked a payment to the team',
};

/** The entries of the audit log of a team, as sentences. */
export const ACTIVITY = {
  /** The words for people at the beginning of a sentence. */
  first: {
    visitor: 'You',
    former: 'Somebody who has left',
    unknown: 'somebody',
    deleted: 'somebody whose account was deleted',
  },
  /** The words for people inside a sentence. */
  inside: {
    visitor: 'you',
    former: 'Somebody who has left',
    unknown: 'somebody',
    deleted: 'somebody whose account was deleted',
  },
  sentences: SENTENCES,
  other: ({ actor }: NamedEntry) => `${actor} changed something`,
};
