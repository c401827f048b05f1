import type { Meter } from '../objects.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';

interface NewMeter {
  display_name: string;
  event_name: string;
  default_aggregation: { formula: 'count' | 'last' | 'sum' };
  customer_mapping?: { event_payload_key: string } | undefined;
  event_time_window?: 'day' | 'hour' | undefined;
  value_settings?: { event_payload_key: string } | undefined;
}

/** An active meter; the caller stores it. */
export function newMeter(world: Pick<World, 'now'>, given: NewMeter): Meter {
  const now = world.now();
  return {
    id: newId('mtr_test', 24),
    object: 'billing.meter',
    created: now,
    customer_mapping: {
      event_payload_key: given.customer_mapping?.event_payload_key ?? 'stripe_customer_id',
      type: 'by_id',
    },
    default_aggregation: given.default_aggregation,
    display_name: given.display_name,
    event_name: given.event_name,
    event_time_window: given.event_time_window ?? null,
    livemode: false,
    status: 'active',
    status_transitions: { deactivated_at: null },
    updated: now,
    value_settings: { event_payload_key: given.value_settings?.event_payload_key ?? 'value' },
  };
}
