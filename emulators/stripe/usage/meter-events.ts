import { InvalidParameter, noSuchReference, notAllowed } from '../api/errors.ts';
import { operation } from '../api/operation.ts';
import { integer, metadata, oneOf, required, shape, text } from '../api/parameters/params.ts';
import type { Parsed } from '../api/parameters/params.ts';
import type { UsageEvent } from '../hidden-records.ts';
import type { Customer, Meter } from '../objects.ts';
import { inTimeOf, newId } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { DAY } from './aggregate.ts';

const PAST = 35 * DAY;
const FUTURE = 5 * 60;

const params = {
  event_name: required(text(100)),
  identifier: text(100),
  payload: required(metadata()),
  timestamp: integer(0),
};

/** https://docs.stripe.com/api/billing/meter-event and https://docs.stripe.com/api/billing/meter-event-adjustment */
export const meterEventOperations = [
  operation({
    method: 'POST',
    path: '/v1/billing/meter_events',
    params,
    run: ({ scope, params: given }) => {
      const event = record(scope, given);
      return {
        object: 'billing.meter_event',
        created: event.created,
        event_name: event.eventName,
        identifier: event.identifier,
        livemode: false,
        payload: event.payload,
        timestamp: event.timestamp,
      };
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/billing/meter_event_adjustments',
    params: {
      cancel: shape({ identifier: text(100) }),
      event_name: required(text(100)),
      type: required(oneOf('cancel')),
    },
    run: ({ scope, params: { cancel, event_name: eventName, type } }) => {
      const event = recent(scope, cancel?.identifier ?? '');
      if (event?.eventName !== eventName) {
        throw noSuchReference('meter event', cancel?.identifier ?? '', 'cancel[identifier]');
      }
      scope.state.usageEvents.remove(event.id);
      return {
        object: 'billing.meter_event_adjustment',
        cancel: { identifier: event.identifier },
        event_name: eventName,
        livemode: false,
        status: 'pending',
        type,
      };
    },
  }),
];

/**
 * Stores an event. An event with an unknown customer or a wrong value is accepted, and counts for nobody. Stripe
 * reports it later as `v1.billing.meter.error_report_triggered`, which is not sent here.
 */
function record(scope: Scope, given: Parsed<typeof params>): UsageEvent {
  const { event_name: eventName, identifier = newId('', 32).slice(1), payload } = given;
  const meter = activeMeter(scope, eventName);
  const customer = customerOf(scope, meter, payload);
  const value = valueOf(meter, payload);
  if (recent(scope, identifier)) throw notAllowed(`An event already exists with identifier ${identifier}.`);
  const now = (customer === undefined ? scope : inTimeOf(scope, customer)).now();
  const { timestamp = now } = given;
  if (timestamp < now - PAST || timestamp > now + FUTURE) {
    throw new InvalidParameter(
      'The timestamp must be within the past 35 days and at most 5 minutes in the future.',
      'timestamp',
    );
  }
  return scope.state.usageEvents.insert({
    id: newId('usage'),
    identifier,
    created: scope.now(),
    customer: value === undefined ? '' : (customer?.id ?? ''),
    eventName,
    payload: Object.fromEntries(payload),
    timestamp,
    value: value ?? 0,
  });
}

function activeMeter({ state }: World, eventName: string): Meter {
  const meter = state.meters.find(
    ({ event_name: name, status }) => name === eventName && status === 'active',
  );
  if (!meter) throw new InvalidParameter(`No active meter has the event name ${eventName}.`, 'event_name');
  return meter;
}

function customerOf(
  { state }: World,
  meter: Meter,
  payload: ReadonlyMap<string, string>,
): Customer | undefined {
  return state.customers.get(payload.get(meter.customer_mapping.event_payload_key) ?? '');
}

/** A whole number, or undefined. A meter that counts events needs no value. */
function valueOf(meter: Meter, payload: ReadonlyMap<string, string>): number | undefined {
  if (meter.default_aggregation.formula === 'count') return 1;
  const value = payload.get(meter.value_settings.event_payload_key) ?? '';
  return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** An identifier is unique for 24 hours. */
function recent(scope: Scope, identifier: string): UsageEvent | undefined {
  return scope.state.usageEvents.find(
    (event) => event.identifier === identifier && event.created > scope.now() - DAY,
  );
}
