/** Field names of version 0.1, each with its present name. */
const PRESENT_NAMES = {
  reservedAt: 'creationKeyAt',
  promotionCode: 'promotionCodeId',
  returnUrls: 'stripeReturnUrls',
} as const;

/** Reads fields of version 0.1 by their present names. If a document has both names, the present one counts. */
export function withPresentNames(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  const renamed = Object.entries(PRESENT_NAMES).flatMap(([former, present]) =>
    former in document ? [[present, (document as Record<string, unknown>)[former]]] : [],
  );
  return { ...Object.fromEntries(renamed), ...document };
}
