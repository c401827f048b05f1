import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { isDocumentId } from '../../../firestore/document-id.ts';
import { isBeingDeleted } from '../../../teams/team.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { type SubjectKey, SUBJECT_METADATA_FIELD } from '../../subject.ts';

/** The user or team that metadata name, which need not exist. Only a program with the secret key writes metadata. */
export function subjectInMetadata(metadata: Stripe.Metadata | null): SubjectKey | undefined {
  for (const type of ['team', 'user'] as const) {
    const customerId = metadata?.[SUBJECT_METADATA_FIELD[type]];
    if (customerId !== undefined) return { type, customerId };
  }
  return undefined;
}

/** Finds the user or team that metadata name. Undefined for a team that is being deleted. */
export async function findSubjectInMetadata(
  backend: Backend,
  metadata: Stripe.Metadata | null,
): Promise<SubjectKey | undefined> {
  const named = subjectInMetadata(metadata);
  if (named === undefined || !isDocumentId(named.customerId)) return undefined;
  return (await isExisting(backend, named)) ? named : undefined;
}

async function isExisting({ auth, db }: Backend, { type, customerId }: SubjectKey): Promise<boolean> {
  if (type === 'user') return (await auth.getUsers([{ uid: customerId }])).users.length > 0;
  const team = await db.teams.get(customerId);
  return team !== undefined && !isBeingDeleted(team);
}

/**
 * True if the metadata of a Stripe customer name no other user or team. They may name one that has no customer document
 * yet: an operator has written them, or the document was lost.
 */
export async function isUnclaimed(
  { stripe }: Backend,
  { type, customerId }: SubjectKey,
  stripeCustomerId: string,
): Promise<boolean> {
  const { customers } = await stripe();
  const stripeCustomer = await withStripeRefusals(() => customers.retrieve(stripeCustomerId));
  if (stripeCustomer.deleted === true) return false;
  const named = subjectInMetadata(stripeCustomer.metadata);
  return named === undefined || (named.type === type && named.customerId === customerId);
}
