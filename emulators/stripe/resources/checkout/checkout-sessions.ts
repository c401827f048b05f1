import { noSuchObject, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { clearable, metadata, oneOf, required, shape, text, timeRange } from '../../api/parameters/params.ts';
import type { CheckoutSession } from '../../objects.ts';
import { emit } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { createSession } from './checkout-create.ts';
import { createParams, unsupported } from './checkout-params.ts';

const LIST = { url: '/v1/checkout/sessions', noun: 'checkout.session' };
const FILTERS = ['customer', 'payment_intent', 'payment_link', 'status', 'subscription'] as const;

/** Expires an open session. It cannot be opened again. */
export function expireSession(scope: Scope, { id }: CheckoutSession): CheckoutSession {
  const expired = scope.state.checkoutSessions.patch(id, { status: 'expired', url: null });
  emit(scope, 'checkout.session.expired', expired);
  return expired;
}

function requestedSession({ state }: World, id: string): CheckoutSession {
  const session = state.checkoutSessions.get(id);
  if (!session) throw noSuchObject('checkout.session', id);
  return session;
}

/** https://docs.stripe.com/api/checkout/sessions */
export const checkoutSessionOperations = [
  operation({
    method: 'POST',
    path: '/v1/checkout/sessions',
    params: createParams,
    unsupported,
    run: ({ scope, params }) => createSession(scope, params),
  }),
  operation({
    method: 'GET',
    path: '/v1/checkout/sessions',
    params: {
      ...pageParams,
      created: timeRange(),
      customer: text(),
      customer_details: shape({ email: required(text(512)) }),
      payment_intent: text(),
      payment_link: text(),
      status: oneOf('complete', 'expired', 'open'),
      subscription: text(),
    },
    unsupported: ['customer_account'],
    run: ({ scope, params: { created, customer_details: details, ...params } }) =>
      page(
        scope.state.checkoutSessions,
        (session) =>
          (created?.(session.created) ?? true) &&
          (details === undefined || session.customer_details?.email === details.email) &&
          FILTERS.every((name) => params[name] === undefined || session[name] === params[name]),
        params,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    params: {},
    run: ({ scope, id }) => requestedSession(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/checkout/sessions/:id',
    params: { metadata: clearable(metadata()) },
    unsupported: ['collected_information', 'line_items', 'payment_intent_data', 'shipping_options'],
    run: ({ scope, id, params }) => {
      const { metadata: before } = requestedSession(scope, id);
      const after = mergeMetadata(before, params.metadata);
      return scope.state.checkoutSessions.patch(id, { metadata: after });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    params: pageParams,
    run: ({ scope, id, params }) => {
      requestedSession(scope, id);
      const items = scope.state.checkoutDetails.get(id)?.lineItems ?? [];
      // Line items keep the order they were given in, unlike every other list.
      return page(items.toReversed(), () => true, params, {
        url: `${LIST.url}/${id}/line_items`,
        noun: 'item',
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    params: {},
    run: ({ scope, id }) => {
      const session = requestedSession(scope, id);
      if (session.status !== 'open') {
        throw notAllowed(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${String(session.status)}.`,
        );
      }
      return expireSession(scope, session);
    },
  }),
];
