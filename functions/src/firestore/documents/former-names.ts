/** Field names of version 0.1, each with its current name. */
const CURRENT_NAMES = {
  reservedAt: 'creationKeyAt',
  promotionCode: 'promotionCodeId',
  returnUrls: 'stripeReturnUrls',
  contactId: 'firstBuyerId',
  callerId: 'buyerId',
  key: 'idempotencyKey',
  toExpire: 'replacedSessionIds',
  toEnd: 'replacedPurchaseIds',
  subscribed: 'hasRunningSubscription',
  seatsBilled: 'billingDependsOnMembers',
} as const;

/** Reads fields of version 0.1 by their current names. If a document has both names, the current one counts. */
export function withCurrentNames(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  const renamed = Object.entries(CURRENT_NAMES).flatMap(([former, current]) =>
    former in document ? [[current, (document as Record<string, unknown>)[former]]] : [],
  );
  return { ...Object.fromEntries(renamed), ...document };
}

/**
 * The names of `firstBuyerId` and of `checkout.buyerId` in version 0.1, for a query. The schema has the current names.
 */
export const FORMER_FIRST_BUYER_ID = 'contactId' as string as 'firstBuyerId';
export const FORMER_CHECKOUT_BUYER_ID = 'checkout.callerId' as string as 'checkout.buyerId';
