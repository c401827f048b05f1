import type { DocumentData, DocumentReference, Transaction } from 'firebase-admin/firestore';
import { addCost } from '../common/costs.ts';
import { toStored } from './convert.ts';

/** Removes a field in an update. */
export const REMOVED = Symbol('removed field');

/** New values of fields. A key with dots changes one field inside of a map. */
export type Change<Doc> = {
  readonly [Key in keyof Doc]?: Doc[Key] | typeof REMOVED;
} & Readonly<Record<`${string}.${string}`, unknown>>;

/** A write that a transaction collects until its commit. */
export type Write =
  | {
      readonly kind: 'create' | 'set';
      readonly ref: DocumentReference;
      readonly data: object;
      /** Set if no other transaction can create the document. `short-lived`: a trigger deletes it within seconds. */
      readonly proof?: 'lasting' | 'short-lived';
    }
  | { readonly kind: 'update'; readonly ref: DocumentReference; readonly data: object }
  | { readonly kind: 'delete'; readonly ref: DocumentReference };

/** A document that no other transaction can create. If it exists, its transaction was committed. */
export interface CommitProof {
  ref: DocumentReference;
  /** True if a trigger deletes the document, such as a push message, after the commit. Its absence proves nothing. */
  isShortLived: boolean;
}

/** Finds a document that `createAsProof` or `createAsShortLivedProof` creates. Prefers one that lasts. */
export function findCommitProof(writes: readonly Write[]): CommitProof | undefined {
  const find = (proof: 'lasting' | 'short-lived') =>
    writes.find((write) => write.kind === 'create' && write.proof === proof);
  const lasting = find('lasting');
  const found = lasting ?? find('short-lived');
  return found && { ref: found.ref, isShortLived: lasting === undefined };
}

/** Adds the committed writes to the costs of the request. Firestore does not bill other writes. */
export function addCostOf(writes: readonly Write[]): void {
  const deletes = writes.filter(({ kind }) => kind === 'delete').length;
  addCost('deletes', deletes);
  addCost('writes', writes.length - deletes);
}

export async function applyWrite(transaction: Transaction, write: Write): Promise<void> {
  // The reference has no converter, so the client writes exactly the fields of `data`.
  const ref: DocumentReference = write.ref;
  if (write.kind === 'create') transaction.create(ref, toData(ref, write.data));
  else if (write.kind === 'set') transaction.set(ref, toData(ref, write.data));
  else if (write.kind === 'update') transaction.update(ref, await toUpdate(ref, write.data));
  else transaction.delete(ref);
}

/** The fields of a new document, in the form that the client accepts. */
export function toData({ firestore }: DocumentReference, data: object): DocumentData {
  return toStored(firestore, data) as DocumentData;
}

/** The fields of an update, in the form that the client accepts. */
export async function toUpdate(ref: DocumentReference, change: object): Promise<DocumentData> {
  const fields = toData(ref, change);
  const removed = Object.keys(fields).filter((key) => fields[key] === REMOVED);
  if (removed.length === 0) return fields;
  // The import takes no time, because the client is loaded already.
  const { FieldValue } = await import('firebase-admin/firestore');
  return { ...fields, ...Object.fromEntries(removed.map((key) => [key, FieldValue.delete()])) };
}

/** The last second that Firestore can store. https://firebase.google.com/docs/firestore/manage-data/data-types */
export const LAST_TIME = new Date('9999-12-31T23:59:59Z');
