import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';

/** A subscription with our copy. */
export interface StoredSubscription {
  id: string;
  data: SubscriptionDocument;
}
