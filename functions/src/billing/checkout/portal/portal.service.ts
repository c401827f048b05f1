import type { Backend } from '../../../backend.ts';
import { recordBillingAction } from '../../audit.store.ts';
import { withStripeCustomer } from '../../customers/creation/ensure-stripe-customer.service.ts';
import type { StripePage } from '../../stripe/stripe-page.ts';
import type { Subject } from '../../subject.ts';
import { portalProof } from '../return/portal-proof.ts';
import { portalReturnUrl, requireReturnUrl } from '../return/return-url.ts';

export interface PortalOptions {
  /**
   * The URL of the app to which our return route redirects, after it has synced the subscriptions. By default
   * PORTAL_RETURN_PATH. docs/journeys.md has the table.
   */
  returnUrl?: string | undefined;
  /** The only form that the portal shows; by default it shows everything. */
  flow?: 'payment_method' | undefined;
}

/**
 * The URL of Stripe's portal, where the subject's subscriptions, invoices and payment methods are managed.
 *
 * @throws Refusal as `withStripeCustomer`; `return_url_not_allowed`
 */
export async function openPortal(
  backend: Backend,
  subject: Subject,
  options: PortalOptions = {},
): Promise<string> {
  requireReturnUrl(backend.config, options.returnUrl);
  const { url } = await withStripeCustomer(backend, subject, (stripeCustomerId) =>
    createPortalSession(backend, subject, stripeCustomerId, options),
  );
  return url;
}

/**
 * Creates a portal session for a Stripe customer. For a team the audit log has an entry before the caller gets the URL.
 * https://docs.stripe.com/customer-management/portal-deep-links
 */
export async function createPortalSession(
  backend: Backend,
  subject: Subject,
  stripeCustomerId: string,
  { returnUrl, flow }: PortalOptions = {},
): Promise<StripePage> {
  const { config } = backend;
  const { customerId } = subject;
  const stripe = await backend.stripe();
  // With the proof our return route syncs this customer, even if nobody is signed in.
  const back = { id: customerId, proof: await portalProof(backend, customerId) };
  const return_url = portalReturnUrl(config, back, returnUrl);
  const session = await stripe.billingPortal.sessions.create({
    customer: stripeCustomerId,
    return_url,
    ...(flow === 'payment_method' && {
      flow_data: {
        type: 'payment_method_update',
        after_completion: { type: 'redirect', redirect: { return_url } },
      },
    }),
  });
  await recordBillingAction(backend, subject, 'billing.portal_opened');
  return { url: session.url, id: session.id };
}
