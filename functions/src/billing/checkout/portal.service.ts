import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { recordAudit } from '../../audit/audit-log.store.ts';
import type { Config } from '../../settings/config.ts';
import type { Backend } from '../../backend.ts';
import { transact } from '../../firestore/transaction.ts';
import { withTeam } from './checkout-session.ts';
import { withCustomer } from '../customers/customer.service.ts';
import { guardStripe } from '../stripe/stripe-errors.ts';
import type { Subject } from '../customers/subject.ts';

/**
 * Where the subject's subscriptions, invoices and payment methods are managed.
 *
 * @throws Refusal 503 when Stripe does not answer
 */
export function openPortal(backend: Backend, subject: Subject): Promise<string> {
  const { config } = backend;
  return guardStripe(() =>
    withCustomer(backend, subject, (customer) =>
      portalUrl({ ...customer, config, subject, now: backend.now() }),
    ),
  );
}

export interface PortalVisit {
  config: Config;
  firestore: Firestore;
  stripe: Stripe;
  subject: Subject;
  /** Its id at Stripe. */
  customer: string;
  now: Date;
}

/** Opens the portal. A team's audit log has the entry before anybody gets the address. */
export async function portalUrl(visit: PortalVisit): Promise<string> {
  const { config, stripe, subject, customer } = visit;
  const { type, customerId } = subject;
  const session = await stripe.billingPortal.sessions.create({
    customer,
    return_url: config.appUrl + withTeam(config.portalReturnPath, type, customerId),
  });
  if (type === 'team') await recordVisit(visit);
  return session.url;
}

async function recordVisit({ config, firestore, subject, now }: PortalVisit): Promise<void> {
  const { customerId, callerId } = subject;
  await transact(firestore, (transaction) => {
    recordAudit(transaction, firestore, {
      teamId: customerId,
      actorId: callerId,
      action: 'billing.portal_opened',
      target: customerId,
      at: now,
      keptDays: config.auditDays,
    });
    return Promise.resolve();
  });
}
