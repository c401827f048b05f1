import type { StoredCheckout } from '../../firestore/documents/customer.ts';
import type { SubjectKey } from '../subject.ts';

/**
 * The keys in the metadata of Stripe's objects that name the user or team, by the type of the subject. The Stripe
 * extension for Firebase chose the name `firebaseUID`.
 */
export const SUBJECT_METADATA = { user: 'firebaseUID', team: 'teamId' } as const;

/**
 * The metadata of a subscription:
 *
 * - For a user: the uid as `firebaseUID`.
 * - For a team: the `teamId`, and the people who share the trial: the responsible owner as `ownerId` and the buyer as
 *   `firebaseUID`.
 */
export function subjectMetadata(
  { type, customerId }: SubjectKey,
  { ownerId, callerId }: Pick<StoredCheckout, 'ownerId' | 'callerId'>,
): Record<string, string> {
  return type === 'user'
    ? { [SUBJECT_METADATA.user]: customerId }
    : { [SUBJECT_METADATA.team]: customerId, ownerId, [SUBJECT_METADATA.user]: callerId };
}
