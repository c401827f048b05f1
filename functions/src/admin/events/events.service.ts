import type { Backend } from '../../backend.ts';
import { recoverEvents, type RecoveredEvents } from '../../billing/reconcile/lost-events.service.ts';
import { recordAction, type Operator } from '../operator.service.ts';

/** Runs the steps of Stripe's events since a time, after Stripe sent no events for a while. */
export async function recoverEventsAsOperator(
  backend: Backend,
  operator: Operator,
  since: Date,
): Promise<RecoveredEvents> {
  await recordAction(backend, operator, { action: 'admin.events_recovered', target: since.toISOString() });
  return recoverEvents(backend, since);
}
