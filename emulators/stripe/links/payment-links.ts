import { noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { flag } from '../api/parameters/params.ts';
import type { PaymentLink } from '../objects.ts';
import { readLineItems } from '../resources/checkout/checkout-items.ts';
import { definedOnly } from '../store/patch.ts';
import { emit, imagine, update } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { afterCompletion, newPaymentLink, restrictions } from './payment-link-object.ts';
import { createParams, unsupportedAtFirst, unsupportedLater, updateParams } from './payment-link-params.ts';
import type { CreateParams } from './payment-link-params.ts';
import { openSession } from './visit.ts';

const LIST = { url: '/v1/payment_links', noun: 'payment_link' };

function createLink(scope: Scope, params: CreateParams): PaymentLink {
  const lineItems = readLineItems(scope, { given: params.line_items, currency: params.currency });
  const link = newPaymentLink(scope, params, lineItems);
  // Parameters that do not fit together are refused when the link is created, not when it is visited.
  imagine(scope, (copy) => {
    copy.state.linkItems.insert({ id: link.id, lineItems });
    return openSession(copy, link, new URLSearchParams());
  });
  scope.state.linkItems.insert({ id: link.id, lineItems });
  scope.state.paymentLinks.insert(link);
  emit(scope, 'payment_link.created', link);
  return link;
}

/** https://docs.stripe.com/api/payment-link */
export const paymentLinkOperations = [
  operation({
    method: 'POST',
    path: LIST.url,
    params: createParams,
    unsupported: unsupportedAtFirst,
    run: ({ scope, params }) => createLink(scope, params),
  }),
  operation({
    method: 'GET',
    path: LIST.url,
    params: { ...pageParams, active: flag() },
    run: ({ scope, params: { active, ...paging } }) =>
      page(scope.state.paymentLinks, (link) => active === undefined || link.active === active, paging, LIST),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => requestedLink(scope, id),
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id`,
    params: updateParams,
    unsupported: unsupportedLater,
    run: ({ scope, id, params }) => {
      const { after_completion: after, metadata: patch, restrictions: limits, ...changes } = params;
      const link = requestedLink(scope, id);
      const count = link.restrictions?.completed_sessions.count;
      return update(scope, 'payment_link.updated', link, {
        ...definedOnly(changes),
        ...(after && { after_completion: afterCompletion(after) }),
        ...(limits !== undefined && { restrictions: restrictions(limits, count) }),
        metadata: mergeMetadata(link.metadata, patch),
      });
    },
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id/line_items`,
    params: pageParams,
    run: ({ scope, id, params }) => {
      requestedLink(scope, id);
      const items = scope.state.linkItems.get(id)?.lineItems ?? [];
      const list = { url: `${LIST.url}/${id}/line_items`, noun: 'item' };
      return page(items.toReversed(), () => true, params, list);
    },
  }),
];

function requestedLink({ state }: World, id: string): PaymentLink {
  const link = state.paymentLinks.get(id);
  if (!link) throw noSuchObject('payment_link', id);
  return link;
}
