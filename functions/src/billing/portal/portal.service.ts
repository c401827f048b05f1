import type { Backend } from '../../backend.ts';
import { ensureStripeCustomer, replaceStripeCustomer } from '../customers/stripe-customer.service.ts';
import { withTeam, type Subject } from '../customers/subject.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import type { StripePage } from '../stripe/stripe-page.ts';

/**
 * The address of Stripe's portal, where the subject's subscriptions, invoices and payment methods are managed.
 *
 * @throws Refusal `billing_unavailable`
 */
export async function openPortal(backend: Backend, subject: Subject): Promise<string> {
  return guardStripe(async () => {
    const stripeCustomerId = await ensureStripeCustomer(backend, subject);
    try {
      return (await openPortalPage(backend, subject, stripeCustomerId)).url;
    } catch (error) {
      // The customer was deleted in Stripe's dashboard, and no event has arrived yet.
      if (!isMissing(error, 'customer')) throw error;
      const newId = await replaceStripeCustomer(backend, subject, stripeCustomerId);
      return (await openPortalPage(backend, subject, newId)).url;
    }
  });
}

/**
 * Opens the portal for a Stripe customer. For a team the audit log has an entry before the caller gets the address.
 *
 * @param returnUrl an address of the app that the portal leads back to; PORTAL_RETURN_PATH by default
 */
export async function openPortalPage(
  backend: Backend,
  subject: Subject,
  stripeCustomerId: string,
  returnUrl?: string,
): Promise<StripePage> {
  const { config } = backend;
  const stripe = await backend.stripe();
  const session = await stripe.billingPortal.sessions.create({
    customer: stripeCustomerId,
    return_url: returnUrl ?? config.appUrl + withTeam(config.portalReturnPath, subject),
  });
  if (subject.type === 'team') await recordVisit(backend, subject);
  return { url: session.url, sessionId: session.id };
}

async function recordVisit({ db, now }: Backend, { customerId, callerId }: Subject): Promise<void> {
  await db.run((tx) => {
    tx.audit.record({
      teamId: customerId,
      actorId: callerId,
      action: 'billing.portal_opened',
      target: customerId,
      at: now(),
    });
    return Promise.resolve();
  });
}
