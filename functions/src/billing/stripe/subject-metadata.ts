import type { StoredCheckout } from '../../firestore/documents/customer.ts';
import type { SubjectKey } from '../subject.ts';

/**
 * The metadata of objects at Stripe that names their user or team, by the type of the subject. The Stripe extension for
 * Firebase uses the same name for users.
 */
export const SUBJECT_METADATA = { user: 'firebaseUID', team: 'teamId' } as const;

/**
 * The metadata of a subscription: the user or team that it belongs to, and the people who share the trial of a team.
 * With a `teamId` the subscription belongs to the team, and `firebaseUID` is its buyer. The Stripe extension chose that
 * name.
 */
export function subjectMetadata(
  { type, customerId }: SubjectKey,
  { ownerId, callerId }: Pick<StoredCheckout, 'ownerId' | 'callerId'>,
): Record<string, string> {
  return type === 'user'
    ? { [SUBJECT_METADATA.user]: customerId }
    : { [SUBJECT_METADATA.team]: customerId, ownerId, [SUBJECT_METADATA.user]: callerId };
}
