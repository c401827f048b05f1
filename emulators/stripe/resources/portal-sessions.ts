import { operation } from '../api/operation.ts';
import { required, text, webUrl } from '../api/params.ts';
import type { PortalSession } from '../state.ts';
import { newId } from '../world.ts';
import { referencedCustomer } from './customer-object.ts';

/** How long a portal link stays good, in seconds. */
export const PORTAL_LIFETIME = 60 * 60;

/** https://docs.stripe.com/api/customer_portal/sessions */
export const portalSessionOperations = [
  operation({
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    params: { customer: required(text()), return_url: webUrl() },
    unsupported: ['configuration', 'customer_account', 'flow_data', 'locale', 'on_behalf_of'],
    run: ({ scope, params: { customer, return_url: returnUrl } }) => {
      const id = newId('bps');
      const session: PortalSession = {
        id,
        object: 'billing_portal.session',
        configuration: 'bpc_local',
        created: scope.now(),
        customer: referencedCustomer(scope, customer).id,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: null,
        on_behalf_of: null,
        return_url: returnUrl ?? null,
        url: `${scope.origin}/p/session/${id}`,
      };
      scope.state.portalSessions.push(session);
      return session;
    },
  }),
];
