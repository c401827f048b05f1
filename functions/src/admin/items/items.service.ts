import { callerOfAccount } from '../../auth/caller.ts';
import { userStateOf } from '../../auth/users/user-states.ts';
import type { Backend } from '../../backend.ts';
import { findByStripeCustomer } from '../../billing/customers/customer.store.ts';
import { withStripeRefusals, isMissing } from '../../billing/stripe/stripe-errors.ts';
import { idOf } from '../../billing/stripe/stripe-ids.ts';
import { syncAndResolveOverlaps } from '../../billing/subscriptions/overlap/overlap.service.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { resendInvitation } from '../../invitations/manage.service.ts';
import { findSender } from '../../invitations/sender.ts';
import { refusal } from '../../refusals/refusals.ts';
import { removeUpload } from '../../uploads/records/remove.service.ts';
import type { AdminSubscriptionView } from '../admin.view.ts';
import { listSome, recordAction, recordBy, requireAccount, without, type Operator } from '../operator.ts';

/**
 * Finds at most 20 invitations, in any state, to an address that may have no account.
 *
 * @param email lower case
 */
export async function findInvitations({ db }: Backend, email: string): Promise<Record<string, unknown>[]> {
  return listSome(db.invitations.where('email', '==', email), ['secretHash']);
}

/** @throws Refusal `invitation_not_found` */
export async function describeInvitation(backend: Backend, id: string): Promise<Record<string, unknown>> {
  return without(await requireInvitation(backend, id), ['secretHash']);
}

/**
 * Mails a pending invitation again, in the name of its sender, or of the responsible owner if the sender can no longer
 * invite.
 *
 * @throws Refusal as `resendInvitation`; `user_not_found` if that person has no account any more
 */
export async function resendFor(backend: Backend, operator: Operator, id: string): Promise<void> {
  const { db, now } = backend;
  const invitation = await requireInvitation(backend, id);
  const { teamId } = invitation;
  const sender = await findSender(db, invitation);
  const senderId = sender?.uid ?? (await db.teams.get(teamId))?.ownerId;
  if (senderId === undefined) throw refusal('team_not_found');
  const caller = callerOfAccount(userStateOf(await requireAccount(backend, senderId)), now());
  await recordAction(backend, operator, { action: 'admin.invitation_resent', target: id, teamId });
  await resendInvitation(backend, caller, { teamId, id });
}

/** @throws Refusal `upload_not_found` */
export async function describeUpload(backend: Backend, id: string): Promise<Record<string, unknown>> {
  return without(await requireUpload(backend, id), []);
}

/**
 * Removes a file and gives its bytes back to the quota.
 *
 * @throws Refusal `upload_not_found`
 */
export async function deleteUploadFor(backend: Backend, operator: Operator, id: string): Promise<void> {
  const upload = await requireUpload(backend, id);
  const { ownerId } = upload;
  const teamId = (await backend.db.teams.exists(ownerId)) ? ownerId : undefined;
  await removeUpload(backend, id, upload, (tx) => {
    recordBy(tx, operator, backend.now(), { action: 'admin.upload_removed', target: id, teamId });
  });
}

/**
 * A subscription as Stripe has it, beside our copy. One call to Stripe.
 *
 * @throws Refusal `subscription_not_found`
 */
export async function describeSubscription(backend: Backend, id: string): Promise<AdminSubscriptionView> {
  const { customerId, status } = await findSubscription(backend, id);
  const copy =
    customerId === undefined
      ? undefined
      : (await backend.db.subscriptions(customerId).getIntact([id])).get(id);
  return { id, customerId: customerId ?? null, status, copy: copy === undefined ? null : { ...copy } };
}

/**
 * Syncs a subscription with Stripe now, as an event would.
 *
 * @throws Refusal `subscription_not_found`
 */
export async function syncFor(backend: Backend, operator: Operator, id: string): Promise<void> {
  const { customerId } = await findSubscription(backend, id);
  if (customerId === undefined) throw refusal('subscription_not_found');
  const teamId = (await backend.db.teams.exists(customerId)) ? customerId : undefined;
  await recordAction(backend, operator, { action: 'admin.subscription_synced', target: id, teamId });
  await syncAndResolveOverlaps(backend, customerId, id);
}

/** @returns `customerId` undefined if no customer here has the Stripe customer */
async function findSubscription(
  { db, stripe }: Backend,
  id: string,
): Promise<{ customerId: string | undefined; status: string }> {
  const { subscriptions } = await stripe();
  try {
    const { customer, status } = await withStripeRefusals(() => subscriptions.retrieve(id));
    return { customerId: (await findByStripeCustomer(db, idOf(customer)))?.id, status };
  } catch (error) {
    if (isMissing(error)) throw refusal('subscription_not_found');
    throw error;
  }
}

async function requireInvitation({ db }: Backend, id: string): Promise<Invitation> {
  const invitation = isDocumentId(id) ? await db.invitations.get(id) : undefined;
  if (invitation === undefined) throw refusal('invitation_not_found');
  return invitation;
}

async function requireUpload({ db }: Backend, id: string): Promise<Upload> {
  const upload = isDocumentId(id) ? await db.uploads.get(id) : undefined;
  if (upload === undefined) throw refusal('upload_not_found');
  return upload;
}
