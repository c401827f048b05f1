import { noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { flag, list, text, timeRange } from '../api/parameters/params.ts';

/** Stripe lists the events of the last 30 days. */
const KEPT_SECONDS = 30 * 86_400;

const LIST = { url: '/v1/events', noun: 'event' };

/** https://docs.stripe.com/api/events */
export const eventOperations = [
  operation({
    method: 'GET',
    path: '/v1/events',
    params: {
      ...pageParams,
      created: timeRange(),
      delivery_success: flag(),
      type: text(),
      types: list(text(), 20),
    },
    run: ({ scope, params: { created, delivery_success: isDelivered, type, types, ...paging } }) =>
      page(
        scope.state.events,
        (event) =>
          event.created > scope.now() - KEPT_SECONDS &&
          (created?.(event.created) ?? true) &&
          (isDelivered === undefined || isDelivered === (event.pending_webhooks === 0)) &&
          (type === undefined || matchesType(event.type, type)) &&
          (types === undefined || types.includes(event.type)),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/events/:id',
    params: {},
    run: ({ scope, id }) => {
      const event = scope.state.events.get(id);
      if (!event) throw noSuchObject('event', id);
      return event;
    },
  }),
];

/** A `*` at the end of the pattern matches any rest: `customer.subscription.*`. */
function matchesType(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
