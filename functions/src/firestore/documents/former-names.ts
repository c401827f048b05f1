/** Field names of version 0.1, each with its present name. */
const CURRENT_NAMES = {
  reservedAt: 'creationKeyAt',
  promotionCode: 'promotionCodeId',
  returnUrls: 'stripeReturnUrls',
} as const;

/** Reads fields of version 0.1 by their present names. If a document has both names, the present one counts. */
export function withCurrentNames(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  const renamed = Object.entries(CURRENT_NAMES).flatMap(([former, present]) =>
    former in document ? [[present, (document as Record<string, unknown>)[former]]] : [],
  );
  return { ...Object.fromEntries(renamed), ...document };
}
