import type { EventIdAndType } from '../../synced-events.store.ts';

/** An event with the object as Stripe sent it. */
export interface EventAbout<StripeObject> extends EventIdAndType {
  data: { object: StripeObject };
}
