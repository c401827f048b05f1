import { InvalidParameter, noSuchObject, notAllowed } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { integer, oneOf, required, shape, text } from '../api/parameters/params.ts';
import type { Meter } from '../objects.ts';
import { definedOnly } from '../store/patch.ts';
import { emit, update } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { DAY, HOUR } from './aggregate.ts';
import { newMeter } from './meter-object.ts';
import { summaries } from './summaries.ts';

const LIST = { url: '/v1/billing/meters', noun: 'billing.meter' };
const MINUTE = 60;

const payloadKey = required(text(100));

/** https://docs.stripe.com/api/billing/meter */
export const meterOperations = [
  operation({
    method: 'POST',
    path: LIST.url,
    params: {
      customer_mapping: shape({ event_payload_key: payloadKey, type: required(oneOf('by_id')) }),
      default_aggregation: required(shape({ formula: required(oneOf('count', 'last', 'sum')) })),
      display_name: required(text(250)),
      event_name: required(text(100)),
      event_time_window: oneOf('day', 'hour'),
      value_settings: shape({ event_payload_key: payloadKey }),
    },
    run: ({ scope, params }) => {
      assertFree(scope, params.event_name);
      const meter = newMeter(scope, params);
      scope.state.meters.insert(meter);
      emit(scope, 'billing.meter.created', meter);
      return meter;
    },
  }),
  operation({
    method: 'GET',
    path: LIST.url,
    params: { ...pageParams, status: oneOf('active', 'inactive') },
    run: ({ scope, params: { status, ...paging } }) =>
      page(scope.state.meters, (meter) => status === undefined || meter.status === status, paging, LIST),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => requestedMeter(scope, id),
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id`,
    params: { display_name: text(250) },
    run: ({ scope, id, params }) => {
      const meter = requestedMeter(scope, id);
      return change(scope, 'billing.meter.updated', meter, definedOnly(params));
    },
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id/deactivate`,
    params: {},
    run: ({ scope, id }) => {
      const meter = requestedMeter(scope, id);
      if (meter.status === 'inactive') throw notAllowed('The meter is already inactive.');
      return change(scope, 'billing.meter.deactivated', meter, {
        status: 'inactive',
        status_transitions: { deactivated_at: scope.now() },
      });
    },
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id/reactivate`,
    params: {},
    run: ({ scope, id }) => {
      const meter = requestedMeter(scope, id);
      if (meter.status === 'active') throw notAllowed('The meter is already active.');
      assertFree(scope, meter.event_name);
      return change(scope, 'billing.meter.reactivated', meter, {
        status: 'active',
        status_transitions: { deactivated_at: null },
      });
    },
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id/event_summaries`,
    params: {
      ...pageParams,
      customer: required(text()),
      end_time: required(integer(0)),
      start_time: required(integer(0)),
      value_grouping_window: oneOf('day', 'hour'),
    },
    run: ({ scope, id, params: { customer, start_time: start, end_time: end, ...params } }) => {
      const meter = requestedMeter(scope, id);
      const { value_grouping_window: grouping, ...paging } = params;
      const unit = grouping === 'day' ? DAY : grouping === 'hour' ? HOUR : MINUTE;
      for (const [name, time] of Object.entries({ start_time: start, end_time: end })) {
        if (time % unit !== 0) {
          throw new InvalidParameter(`${name} must be aligned with ${unit} seconds, in UTC.`, name);
        }
      }
      if (end <= start) throw new InvalidParameter('end_time must be after start_time.', 'end_time');
      const rows = summaries(scope, meter, customer, { start, end, step: grouping ? unit : end - start });
      const list = { url: `${LIST.url}/${id}/event_summaries`, noun: 'billing.meter_event_summary' };
      return page(rows, () => true, paging, list);
    },
  }),
];

function requestedMeter({ state }: World, id: string): Meter {
  const meter = state.meters.get(id);
  if (!meter) throw noSuchObject('billing.meter', id);
  return meter;
}

/** An event name belongs to one active meter. */
function assertFree({ state }: World, eventName: string): void {
  if (state.meters.some(({ event_name: name, status }) => name === eventName && status === 'active')) {
    throw new InvalidParameter(`An active meter already has the event name ${eventName}.`, 'event_name');
  }
}

function change(
  scope: Scope,
  type: 'billing.meter.updated' | 'billing.meter.deactivated' | 'billing.meter.reactivated',
  meter: Meter,
  patch: Partial<Meter>,
): Meter {
  return update(scope, type, meter, { ...patch, updated: scope.now() });
}
