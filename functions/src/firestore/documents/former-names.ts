/** Field names of version 0.1, each with its current name. */
const CURRENT_NAMES = {
  reservedAt: 'creationKeyAt',
  promotionCode: 'promotionCodeId',
  returnUrls: 'stripeReturnUrls',
} as const;

/** Reads fields of version 0.1 by their current names. If a document has both names, the current one counts. */
export function withCurrentNames(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  const renamed = Object.entries(CURRENT_NAMES).flatMap(([former, current]) =>
    former in document ? [[current, (document as Record<string, unknown>)[former]]] : [],
  );
  return { ...Object.fromEntries(renamed), ...document };
}
