/** Values in one `in` filter. https://firebase.google.com/docs/firestore/query-data/queries#limitations */
const MAX_IN = 30;

/** Splits values into lists, by default short enough for an `in` filter. */
export function inChunks<Value>(values: readonly Value[], size = MAX_IN): Value[][] {
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) => index * size);
  return starts.map((start) => values.slice(start, start + size));
}

/**
 * True if a text can be the id of a user or of one of our documents.
 * https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
 */
export function isDocumentId(text: unknown): text is string {
  return typeof text === 'string' && /^(?!\.{1,2}$|__.*__$)[^/]{1,128}$/.test(text);
}
