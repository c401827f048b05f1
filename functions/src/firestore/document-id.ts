/** Values in one `in` filter. https://firebase.google.com/docs/firestore/query-data/queries#limitations */
const MAX_IN = 30;

/** Splits values into lists that are short enough for an `in` filter. */
export function inChunks<Value>(values: readonly Value[]): Value[][] {
  const starts = Array.from({ length: Math.ceil(values.length / MAX_IN) }, (_, index) => index * MAX_IN);
  return starts.map((start) => values.slice(start, start + MAX_IN));
}

/**
 * True if a text can be the id of a user or of one of our documents.
 * https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
 */
export function isDocumentId(text: unknown): text is string {
  return typeof text === 'string' && /^(?!\.{1,2}$|__.*__$)[^/]{1,128}$/.test(text);
}
