import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import type { Services } from '../services.ts';
import { withTeam } from './checkout-session.ts';
import { withCustomer } from './customer.service.ts';
import { guardStripe } from './stripe-errors.ts';
import type { Subject } from './subject.ts';

/**
 * Where the subject's subscriptions, invoices and payment methods are managed.
 *
 * @throws HttpError 503 when Stripe does not answer
 */
export function openPortal(services: Services, config: Config, subject: Subject): Promise<string> {
  return guardStripe(() =>
    withCustomer(services, config, subject, ({ stripe, customer }) =>
      portalUrl(stripe, config, subject, customer),
    ),
  );
}

export async function portalUrl(
  stripe: Stripe,
  config: Config,
  { type, customerId }: Subject,
  customer: string,
): Promise<string> {
  const session = await stripe.billingPortal.sessions.create({
    customer,
    return_url: config.appUrl + withTeam(config.portalReturnPath, type, customerId),
  });
  return session.url;
}
