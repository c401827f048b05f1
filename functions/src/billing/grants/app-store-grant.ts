import { DAY_MS } from '../../common/durations.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { LAST_TIME } from '../../firestore/writes.ts';
import { grantDocument } from '../subscriptions/granted-plan.ts';
import type { Moment, AppStorePurchaseState, AppStoreEvent } from './app-store-event.ts';

/** A plan stays for this time after its end, because the event about a renewal may come late. */
const LATE_MS = DAY_MS;

/** Empty if the event named no store. */
export function storeOfGrant({ metadata }: Pick<SubscriptionDocument, 'metadata'>): string {
  return metadata['store'] ?? '';
}

export function momentOfGrant({ metadata }: Pick<SubscriptionDocument, 'metadata'>): Moment {
  return { at: Number(metadata['storeEventAt'] ?? 0), eventId: metadata['storeEventId'] ?? '' };
}

/**
 * The document of a purchase after an event. An ended purchase keeps its document, so that an older event that comes
 * late does not give the plan again.
 *
 * @param before undefined for a new purchase
 */
export function appStoreGrantOf(
  event: AppStoreEvent,
  { endsAt, isCancelled, slug }: AppStorePurchaseState & { slug: string },
  before: SubscriptionDocument | undefined,
  now: Date,
): SubscriptionDocument {
  const at = new Date(event.event_timestamp_ms);
  const end = typeof endsAt === 'number' ? new Date(endsAt) : null;
  const lateEnd = lateEndOf(endsAt);
  const until = lateEnd > now ? lateEnd : null;
  return {
    ...grantDocument({ planSlug: slug, until }, now),
    created: before?.created ?? at,
    current_period_start: at,
    current_period_end: end ?? before?.current_period_end ?? null,
    cancel_at_period_end: isCancelled && until !== null,
    canceled_at: isCancelled ? at : null,
    ended_at: until === null ? (end ?? at) : null,
    metadata: metadataOf(event),
  };
}

function lateEndOf(endsAt: AppStorePurchaseState['endsAt']): Date {
  if (endsAt === 'never') return LAST_TIME;
  return new Date(endsAt === null ? 0 : Math.min(endsAt + LATE_MS, LAST_TIME.getTime()));
}

function metadataOf(event: AppStoreEvent): Record<string, string> {
  return {
    storeEventAt: String(event.event_timestamp_ms),
    storeEventId: event.id,
    store: event.store ?? '',
    product: event.product_id ?? '',
  };
}

export function endedGrant(grant: SubscriptionDocument): SubscriptionDocument {
  return { ...grant, grace_until: null, ended_at: grant.grace_until };
}
