import pMap from 'p-map';
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logWarning, writeLog } from '../../common/log.ts';
import { DamagedDocument } from '../../firestore/damage.ts';
import type { StripeEventDocument } from '../../firestore/documents/stripe-event.ts';
import { findCustomers } from '../customers/customer.store.ts';
import { syncEntitlements } from '../customers/sync-entitlements.service.ts';
import { unlessMissing, withStripeRefusals } from '../stripe/stripe-errors.ts';
import { recordRecovered } from '../synced-events.store.ts';
import { EVENTS_TO_RERUN_IF_LOST, handleEvent } from '../webhook/webhook.service.ts';
import { pageAfter, visitList, type Repair, type Run } from './visit.ts';

/** Stripe may also list events that only another endpoint of the account has not accepted. */
export async function visitLostEvents(backend: Backend, run: Run): Promise<void> {
  const stripe = await backend.stripe();
  const types = [...EVENTS_TO_RERUN_IF_LOST];
  let handled = 0;
  const counted = ({ work, calls }: Repair): Repair => ({
    work: async () => {
      await work();
      handled += 1;
    },
    calls,
  });
  try {
    await visitList<Stripe.Event>(run, 'events', {
      readPage: (after) => stripe.events.list({ ...pageAfter(after), types, delivery_success: false }),
      findRepairs: async (events) =>
        new Map(
          [...(await findLostEvents(backend, events))].map(([event, repair]) => [event, counted(repair)]),
        ),
    });
  } finally {
    if (handled > 0) {
      writeLog({ severity: 'INFO', message: `Handled ${handled} events that Stripe lists as undelivered` });
    }
  }
}

/**
 * Finds events that the reconciliation has not handled yet. The webhook may have done some of their steps already. Each
 * step may be repeated. Reads one document for each event.
 *
 * @param events at most 100
 */
export async function findLostEvents(
  backend: Backend,
  events: readonly Stripe.Event[],
): Promise<Map<Stripe.Event, Repair>> {
  const records = await backend.db.stripeEvents.getWithDamaged(events.map(({ id }) => id));
  const lost = events.filter(({ id }) => !isRecovered(records.get(id)));
  return new Map(lost.map((event) => [event, { work: () => recover(backend, event), calls: 3 }]));
}

function isRecovered(record: StripeEventDocument | DamagedDocument | undefined): boolean {
  return record !== undefined && !(record instanceof DamagedDocument) && record.recoveredAt !== undefined;
}

async function recover(backend: Backend, event: Stripe.Event): Promise<void> {
  const current = await withCurrentInvoice(backend, event);
  if (current === undefined) logWarning('The invoice of an event does not exist at Stripe', event.id);
  else await handleEvent(backend, current);
  await recordRecovered(backend.db, event, backend.now());
}

/**
 * Retrieves the invoice of an event about an invoice. Stripe lists events in the API version that the account had then.
 * Before 2025 an invoice had no `parent`, which names the subscription. https://docs.stripe.com/api/events
 *
 * @returns the event with the invoice of now, or undefined if the invoice does not exist; every other event unchanged
 */
async function withCurrentInvoice(backend: Backend, event: Stripe.Event): Promise<Stripe.Event | undefined> {
  const { object } = event.data;
  if (object.object !== 'invoice') return event;
  const { invoices } = await backend.stripe();
  const invoice = await unlessMissing(() => withStripeRefusals(() => invoices.retrieve(object.id)));
  const current: object = { ...event, data: { object: invoice } };
  return invoice && (current as Stripe.Event);
}

/** Events that are handled at the same time. */
const CONCURRENCY = 5;

export interface RecoveredEvents {
  handled: number;
  /** Ids of the events that failed. The log has the reasons. A second call tries only these again. */
  failed: string[];
}

/**
 * Handles the events of `EVENTS_TO_RERUN_IF_LOST` since a time, at most 30 days ago. It does not matter whether Stripe
 * has delivered them: every step may be repeated, and mail about an event is written once.
 *
 * For a time in which the webhook endpoint was disabled, missing or without some events. Stripe has not tried to
 * deliver the events of that time, so `delivery_success` need not find them.
 */
export async function recoverEvents(backend: Backend, since: Date): Promise<RecoveredEvents> {
  const recovered: RecoveredEvents = { handled: 0, failed: [] };
  const handle = async ([{ id }, { work }]: [Stripe.Event, Repair]) => {
    try {
      await work();
      recovered.handled += 1;
    } catch (error) {
      logWarning(`The event ${id} could not be handled`, error);
      recovered.failed.push(id);
    }
  };
  for await (const events of eventsSince(backend, since)) {
    await pMap(await findLostEvents(backend, events), handle, { concurrency: CONCURRENCY });
  }
  return recovered;
}

/** Counts the events that `recoverEvents` would handle. */
export async function countEventsToRecover(backend: Backend, since: Date): Promise<number> {
  let count = 0;
  for await (const events of eventsSince(backend, since)) {
    count += (await findLostEvents(backend, events)).size;
  }
  return count;
}

/** Lists the events page by page, the newest first. */
async function* eventsSince(backend: Backend, since: Date): AsyncGenerator<Stripe.Event[]> {
  const { events } = await backend.stripe();
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  const types = [...EVENTS_TO_RERUN_IF_LOST];
  let after: string | undefined;
  do {
    const page = await withStripeRefusals(() => events.list({ ...pageAfter(after), types, created }));
    yield page.data;
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
}

const ENTITLEMENTS_UPDATED = 'entitlements.active_entitlement_summary.updated';

/** Visits the delivered events too, because an event may have come before its customer was linked. */
export async function visitEntitlementEvents(backend: Backend, run: Run): Promise<void> {
  const stripe = await backend.stripe();
  await visitList<Stripe.Event>(run, 'entitlements', {
    readPage: (after) => stripe.events.list({ ...pageAfter(after), type: ENTITLEMENTS_UPDATED }),
    findRepairs: (events) => findLostEntitlementEvents(backend, events),
  });
}

/**
 * Finds the unprocessed events about entitlements. Stripe cannot list the entitlements of all customers, so the events
 * show which customers have changed. Reads one document for each event, and one more for an unprocessed event.
 */
async function findLostEntitlementEvents(
  backend: Backend,
  events: readonly Stripe.Event[],
): Promise<Map<Stripe.Event, Repair>> {
  const { db } = backend;
  const processed = await db.stripeEvents.getWithDamaged(events.map(({ id }) => id));
  const lost = events.filter(({ id }) => !processed.has(id));
  const customers = await findCustomers(
    db,
    lost.map((event) => stripeCustomerOf(event)),
  );
  return new Map(
    lost.flatMap((event) => {
      const found = customers.get(stripeCustomerOf(event));
      return found === undefined
        ? []
        : [[event, { work: () => syncEntitlements(backend, found.id, event), calls: 1 }] as const];
    }),
  );
}

function stripeCustomerOf({ data: { object } }: Stripe.Event): string {
  return 'customer' in object && typeof object.customer === 'string' ? object.customer : '';
}
