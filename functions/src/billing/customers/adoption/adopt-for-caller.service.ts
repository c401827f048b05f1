import type Stripe from 'stripe';
import { verifiedEmailOf, type Caller } from '../../../auth/caller.ts';
import type { Backend } from '../../../backend.ts';
import type { Db } from '../../../firestore/db.ts';
import { isDocumentId } from '../../../firestore/document-id.ts';
import { hasRefusalCode } from '../../../refusals/refusals.ts';
import { authorize } from '../../../teams/authorize.store.ts';
import type { SubjectKey } from '../../subject.ts';
import { completedCheckoutOf, linkCompletedCheckout, logUnattributed } from './adopt.service.ts';
import { isUnclaimed, subjectInMetadata } from './named-subject.service.ts';

/**
 * Adopts a checkout that was paid elsewhere, such as by a payment link, for the caller who comes back from it: links
 * the Stripe customer to the user or team that `client_reference_id` names. A payer's browser takes this id from a URL,
 * which a stranger can have made. The linked user or team sees the payer's card and invoices. Therefore:
 *
 * - The caller is this user, or may manage the billing of this team. They know the id of the session, which Stripe adds
 *   to the URL to which the payer's browser is redirected.
 * - The payer's address is the verified address of the caller. Somebody who opens the page, and sends its URL to
 *   another person, also knows the id of the session.
 * - Metadata name nobody else.
 *
 * If the caller is named and something else is missing, logs an error for an operator.
 *
 * @returns true if the checkout is linked
 */
export async function adoptForCaller(
  backend: Backend,
  caller: Caller,
  session: Stripe.Checkout.Session,
): Promise<boolean> {
  const checkout = completedCheckoutOf(session);
  if (checkout === undefined || subjectInMetadata(session.metadata) !== undefined) return false;
  const subject = await subjectOfCaller(backend.db, caller, session.client_reference_id);
  if (subject === undefined) return false;
  const isOwn =
    isPaidBy(caller, session) && (await isUnclaimed(backend, subject, checkout.stripeCustomer.id));
  if (isOwn && (await linkCompletedCheckout(backend, subject, checkout))) return true;
  logUnattributed(subject, checkout);
  return false;
}

/** @returns undefined if the id names neither the caller nor a team whose billing the caller may manage */
async function subjectOfCaller(
  db: Db,
  caller: Caller,
  reference: string | null,
): Promise<SubjectKey | undefined> {
  if (reference === caller.uid) return { type: 'user', customerId: reference };
  if (reference === null || !isDocumentId(reference)) return undefined;
  try {
    await authorize(db, caller, reference, 'billing:manage');
  } catch (error) {
    // The caller must not learn that the session exists.
    if (hasRefusalCode(error, 'team_not_found', 'forbidden')) return undefined;
    throw error;
  }
  return { type: 'team', customerId: reference };
}

function isPaidBy(caller: Caller, { customer_details: payer }: Stripe.Checkout.Session): boolean {
  const address = verifiedEmailOf(caller);
  return address !== null && payer?.email?.toLowerCase() === address;
}
