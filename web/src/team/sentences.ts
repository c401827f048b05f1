import type { AuditEntry } from '@hearth/client';
import { nameOf, type AuditDocument, type MemberDocument } from './documents.ts';

interface Told {
  actor: string;
  whom: string;
  /** The address of the invitation, or of the member who left. */
  email: string;
  details: AuditDocument['details'];
}

type Sentences = Readonly<Record<AuditEntry['action'], (told: Told) => string>>;

const ANY = () => 'Support changed something';

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
  'member.left': ({ email }) => `${email} left`,
  'invitation.created': ({ actor, email, details }) =>
    `${actor} invited ${email} as ${details['role'] ?? ''}`,
  'invitation.resent': ({ actor, email }) => `${actor} invited ${email} once more`,
  'invitation.cancelled': ({ actor, email, details }) =>
    details['reason'] === undefined
      ? `${actor} withdrew the invitation for ${email}`
      : `The invitation for ${email} ended with the rights of its sender`,
  'invitation.accepted': ({ actor, details }) => `${actor} joined as ${details['role'] ?? ''}`,
  'invitation.rejected': ({ email }) => `${email} declined the invitation`,
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
  'billing.duplicate_ended': () => 'A second subscription to the same plan was ended and refunded',
  'upload.removed': ({ actor }) => `${actor} removed a file`,
  'upload.url_revoked': ({ actor }) => `${actor} replaced the link of a file`,
  // Operators are no members. Actions on users are in no team's log.
  'admin.owner_changed': ({ whom }) => `Support made ${whom} the owner`,
  'admin.plan_given': ({ details: { plan, until } }) =>
    `Support gave the team the plan ${plan ?? ''} until ${until?.slice(0, 10) ?? ''}`,
  'admin.plan_taken': () => 'Support ended the plan that it gave the team',
  'admin.invitation_resent': () => 'Support sent an invitation once more',
  'admin.upload_removed': () => 'Support removed a file',
  'admin.subscription_synced': () => 'Support updated the subscription',
  'admin.claim_given': ANY,
  'admin.claim_taken': ANY,
  'admin.user_changed': ANY,
  'admin.mail_sent': ANY,
  'admin.mail_resent': ANY,
  'admin.sessions_ended': ANY,
  'admin.user_exported': ANY,
  'admin.user_deleted': ANY,
  'admin.impersonation_started': ANY,
  'admin.impersonated_request': ANY,
};

/** The backend puts a pseudonym in the place of the address of a deleted account. */
function emailIn({ email }: AuditDocument['details']): string {
  if (email === undefined || email === null) return 'somebody';
  return email.startsWith('deleted:') ? 'somebody whose account was deleted' : email;
}

/** An entry of the audit log as a sentence. */
export function sentenceOf(
  entry: Pick<AuditDocument, 'actorId' | 'action' | 'target' | 'details'>,
  uid: string,
  members: readonly Pick<MemberDocument, 'uid' | 'displayName' | 'email'>[],
): string {
  const { actorId, action, target, details } = entry;
  const name = (id: string, self: string) => {
    if (id === uid) return self;
    const member = members.find((candidate) => candidate.uid === id);
    return member === undefined ? 'Somebody who has left' : nameOf(member);
  };
  // A page may be older than the backend, which knows new actions.
  const sentence =
    (SENTENCES as Partial<Record<string, Sentences[AuditEntry['action']]>>)[action] ??
    (({ actor }) => `${actor} changed something`);
  return sentence({
    actor: name(actorId, 'You'),
    whom: name(target, 'you'),
    email: emailIn(details),
    details,
  });
}
