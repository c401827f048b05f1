/**
 * True if a text can be the id of a user or of one of our documents.
 * https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
 */
export function isDocumentId(text: unknown): text is string {
  return typeof text === 'string' && /^(?!\.{1,2}$|__.*__$)[^/]{1,128}$/.test(text);
}
