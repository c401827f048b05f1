import * as z from 'zod';

/** https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields */
export const DOCUMENT_ID = /^(?!\.{1,2}$|__[\s\S]*__$)[^/]{1,128}$/;

export const documentIdSchema = z.string().regex(DOCUMENT_ID, 'is not an id');

/** True if a text can be the id of a user or of one of our documents. */
export function isDocumentId(text: unknown): text is string {
  return documentIdSchema.safeParse(text).success;
}
