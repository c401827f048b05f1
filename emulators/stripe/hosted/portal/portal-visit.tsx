import type { ComponentChildren } from 'preact';
import { hasEnded } from '../../billing/subscriptions/ending.ts';
import type { Customer, PortalConfiguration, PortalSession, Subscription } from '../../objects.ts';
import { PORTAL_LIFETIME } from '../../resources/portal/portal-sessions.ts';
import { inTimeOf } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { notice, page, QuietLink, seeOther } from '../page.tsx';

/** A customer at their portal, in the customer's own time. */
export interface Visit {
  scope: Scope;
  session: PortalSession;
  customer: Customer;
  features: PortalConfiguration['features'];
}

/** The visit that a portal link leads to, or the page that says why there is none. */
export function openPortal(unscoped: Scope, id: string): Visit | Response {
  const { state } = unscoped;
  const session = state.portalSessions.get(id);
  const customer = session && state.customers.get(session.customer);
  const configuration = session && state.portalConfigurations.get(session.configuration);
  if (!session || !customer || !configuration) {
    return notice(404, 'No such page', 'Check the link: this portal page does not exist.', null);
  }
  if (session.created + PORTAL_LIFETIME <= unscoped.now()) {
    const link = session.return_url === null ? null : { href: session.return_url, text: 'Return' };
    return notice(410, 'This link has expired', 'Go back and open the portal again.', link);
  }
  return { scope: inTimeOf(unscoped, customer), session, customer, features: configuration.features };
}

type Feature = 'payment_method_update' | 'subscription_cancel' | 'subscription_update';

/** A visit to a page of the portal that its configuration may have switched off. */
export function openFeature(unscoped: Scope, id: string, feature: Feature): Visit | Response {
  const visit = openPortal(unscoped, id);
  if (visit instanceof Response || visit.features[feature].enabled) return visit;
  return notice(403, 'Not available', 'This cannot be changed here.', home(visit));
}

/** A subscription of the visitor that can still be changed, or the page that says why there is none. */
export function ownSubscription({ scope, session, customer }: Visit, id: string): Subscription | Response {
  const subscription = scope.state.subscriptions.get(id);
  const back = home({ session });
  if (subscription?.customer !== customer.id) {
    return notice(404, 'No such subscription', 'This subscription is not yours, or it does not exist.', back);
  }
  if (hasEnded(subscription)) {
    return notice(409, 'Already ended', 'This subscription has ended and cannot be changed.', back);
  }
  return subscription;
}

/** Redirects after a change: to the portal, or as the flow says. */
export function finished({ session }: Visit, done: string): Response {
  const after = session.flow?.after_completion;
  if (after?.redirect) return seeOther(after.redirect.return_url);
  if (after?.hosted_confirmation) {
    const link = session.return_url === null ? null : { href: session.return_url, text: 'Return' };
    return notice(200, 'Thank you', after.hosted_confirmation.custom_message ?? done, link);
  }
  return seeOther(session.url);
}

/** A page of the portal, with the way back. */
export function portalPage(
  visit: Visit,
  status: number,
  title: string,
  content: ComponentChildren,
): Response {
  const { session } = visit;
  const after = session.flow?.after_completion.redirect?.return_url ?? null;
  return page(
    status,
    title,
    <>
      <h1>{title}</h1>
      {content}
      <QuietLink {...home(visit)} />
    </>,
    [after],
  );
}

/** Back to the portal's first page; from a flow, back to the app. */
function home({ session }: Pick<Visit, 'session'>): { href: string; text: string } {
  return session.flow && session.return_url !== null
    ? { href: session.return_url, text: 'Return' }
    : { href: session.url, text: 'Your subscriptions' };
}
