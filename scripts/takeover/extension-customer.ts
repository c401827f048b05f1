import type { DocumentData } from 'firebase-admin/firestore';
import * as z from 'zod';

/** A document of `customers`, as the extension or we wrote it. */
export interface ExtensionCustomer {
  /** The uid, or the id of a team. */
  id: string;
  type: 'user' | 'team';
  stripeId: string | undefined;
}

const customerSchema = z.object({
  type: z.enum(['user', 'team']).catch('user'),
  stripeId: z.string().min(1).optional().catch(undefined),
});

/** Reads the fields of a document that a takeover needs. It accepts any document. */
export function toExtensionCustomer(id: string, data: DocumentData): ExtensionCustomer {
  const { type, stripeId } = customerSchema.parse(data);
  return { id, type, stripeId };
}

/** A subscription as it is in Firestore before the takeover. */
export interface StoredBefore {
  status: string;
  role: string | null;
}

const storedSchema = z.object({
  status: z.string().catch('unreadable'),
  role: z.string().nullable().catch(null),
});

export function toStoredBefore(data: DocumentData): StoredBefore {
  return storedSchema.parse(data);
}

/** Facts about a customer that decide whether it can be taken over. */
export interface Facts {
  customer: ExtensionCustomer;
  hasAccount: boolean;
  /**
   * `firebaseUID` or `teamId` in the metadata of the Stripe customer. Undefined if Stripe does not have the customer.
   */
  stripeOwner: { id: string | undefined } | undefined;
  /** Another document with the same Stripe customer. */
  duplicateOf: string | undefined;
}

/** Why a customer cannot be attributed to a user or team. Undefined if it can. */
export function problemOf({ customer, hasAccount, stripeOwner, duplicateOf }: Facts): string | undefined {
  if (duplicateOf !== undefined) return `${duplicateOf} has the same Stripe customer`;
  if (!hasAccount) return customer.type === 'user' ? 'no such account' : 'no such team';
  if (stripeOwner === undefined) return 'Stripe has no such customer';
  if (stripeOwner.id !== undefined && stripeOwner.id !== customer.id) {
    return `the Stripe customer belongs to ${stripeOwner.id}`;
  }
  return undefined;
}
