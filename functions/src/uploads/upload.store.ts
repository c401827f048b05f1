import type { Firestore, Query, QueryDocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import { collectionOf } from '../documents.ts';

/**
 * `uploads/{uploadId}`. It is written before the object, as pending, and says where the object will be: whatever dies in
 * between, a sweep knows what to remove.
 */
export interface UploadDocument {
  ownerId: string;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of the object in the bucket. */
  path: string;
  status: 'pending' | 'stored';
  /** Null while pending. */
  url: string | null;
  createdAt: Timestamp;
}

export type NewUpload = Omit<UploadDocument, 'status' | 'url' | 'createdAt'> & { createdAt: Date };

export async function reserveUpload(firestore: Firestore, id: string, upload: NewUpload): Promise<void> {
  await firestore.doc(`uploads/${id}`).create({ ...upload, status: 'pending', url: null });
}

/** @throws when the upload has been swept meanwhile, so that no answer names an object that is gone */
export async function completeUpload(firestore: Firestore, id: string, url: string): Promise<void> {
  await firestore.doc(`uploads/${id}`).update({ status: 'stored', url });
}

export async function forgetUpload(firestore: Firestore, id: string): Promise<void> {
  await firestore.doc(`uploads/${id}`).delete();
}

/** All that belongs to a user or a team, whatever its status. */
export function uploadsOf(firestore: Firestore, ownerId: string): Query<UploadDocument> {
  return collectionOf<UploadDocument>(firestore, 'uploads').where('ownerId', '==', ownerId);
}

/** Uploads that were begun before a time and never came to their end, oldest first. */
export async function abandonedUploads(
  firestore: Firestore,
  before: Date,
  limit: number,
): Promise<QueryDocumentSnapshot<UploadDocument>[]> {
  const found = await collectionOf<UploadDocument>(firestore, 'uploads')
    .where('status', '==', 'pending')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit)
    .get();
  return found.docs;
}
