/** Field names of version 0.1, each with its current name. */
const CURRENT_NAMES = {
  reservedAt: 'creationKeyAt',
  promotionCode: 'promotionCodeId',
  returnUrls: 'stripeReturnUrls',
  contactId: 'firstBuyerId',
} as const;

/** Reads fields of version 0.1 by their current names. If a document has both names, the current one counts. */
export function withCurrentNames(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  const renamed = Object.entries(CURRENT_NAMES).flatMap(([former, current]) =>
    former in document ? [[current, (document as Record<string, unknown>)[former]]] : [],
  );
  return { ...Object.fromEntries(renamed), ...document };
}

/** The name of `firstBuyerId` in version 0.1, for a query. The schema has only the current name. */
export const FORMER_FIRST_BUYER_ID = 'contactId' as string as 'firstBuyerId';
