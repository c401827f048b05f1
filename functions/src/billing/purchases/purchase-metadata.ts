import type Stripe from 'stripe';
import { isDocumentId } from '../../firestore/document-id.ts';
import { SUBJECT_METADATA_FIELD } from '../subject.ts';

/** The name under which the metadata of a session and its charge have the id of the purchase. */
export const PURCHASE_METADATA_FIELD = 'purchaseId';

/** The name under which they have the slug of the plan or credit pack. */
export const ITEM_METADATA_FIELD = 'item';

interface WithMetadata {
  metadata: Stripe.Metadata | null;
}

/** @returns undefined if the session or charge is for something else */
export function purchaseIdOf({ metadata }: WithMetadata): string | undefined {
  const id = metadata?.[PURCHASE_METADATA_FIELD];
  return isDocumentId(id) ? id : undefined;
}

/** The customer and the purchase that the metadata name. Does not check whether the customer has this purchase. */
export function purchaseInMetadata(
  object: WithMetadata,
): { customerId: string; purchaseId: string } | undefined {
  const purchaseId = purchaseIdOf(object);
  const customerId =
    object.metadata?.[SUBJECT_METADATA_FIELD.team] ?? object.metadata?.[SUBJECT_METADATA_FIELD.user];
  return purchaseId !== undefined && isDocumentId(customerId) ? { customerId, purchaseId } : undefined;
}
