import type { Backend } from '../../backend.ts';
import { recordForTeam } from '../audit.store.ts';
import { withStripeCustomer } from '../customers/stripe-customer.service.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import type { Subject } from '../subject.ts';
import { makeReturnProof } from './redirects/return-proof.service.ts';
import { PORTAL_CHANGE, requireAppPageUrl, stripeReturnUrlForPortal } from './redirects/return-url.ts';

interface PortalOptions {
  /** The page of the app that follows the portal. By default PORTAL_RETURN_PATH. */
  appPageUrl?: string | undefined;
  /** The only form that the portal shows; by default it shows everything. */
  flow?: 'payment_method' | undefined;
}

/** @throws Refusal as `withStripeCustomer`; `return_url_not_allowed` */
export async function openPortal(
  backend: Backend,
  subject: Subject,
  options: PortalOptions = {},
): Promise<string> {
  requireAppPageUrl(backend.config, options.appPageUrl);
  const { url } = await withStripeCustomer(backend, subject, (stripeCustomerId) =>
    createPortalSession(backend, subject, stripeCustomerId, options),
  );
  return url;
}

/** https://docs.stripe.com/customer-management/portal-deep-links */
export async function createPortalSession(
  backend: Backend,
  subject: Subject,
  stripeCustomerId: string,
  { appPageUrl, flow }: PortalOptions = {},
): Promise<StripePage> {
  const { config } = backend;
  const stripe = await backend.stripe();
  const returnProof = await makeReturnProof(backend, subject.customerId);
  const return_url = stripeReturnUrlForPortal(config, returnProof, { appPageUrl });
  const changed_url = stripeReturnUrlForPortal(config, returnProof, { appPageUrl, changed: PORTAL_CHANGE });
  const session = await stripe.billingPortal.sessions.create({
    customer: stripeCustomerId,
    return_url,
    ...(flow === 'payment_method' && {
      flow_data: {
        type: 'payment_method_update',
        after_completion: { type: 'redirect', redirect: { return_url: changed_url } },
      },
    }),
  });
  await recordForTeam(backend, subject, 'billing.portal_opened');
  return { url: session.url, id: session.id };
}
