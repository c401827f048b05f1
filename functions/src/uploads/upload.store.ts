import { isDeepStrictEqual } from 'node:util';
import type {
  DocumentReference,
  Firestore,
  Query,
  QueryDocumentSnapshot,
  Timestamp,
  Transaction,
} from 'firebase-admin/firestore';
import { collectionOf, type Writable } from '../firestore/documents.ts';
import { transact } from '../firestore/transaction.ts';
import type { Dimensions } from './files/dimensions.ts';
import { addUsage, giveBackUsage } from './usage.store.ts';

/** A smaller copy of a picture. */
export interface Variant extends Dimensions {
  /** Of the object in the bucket. */
  path: string;
  url: string;
  /** Bytes. */
  size: number;
}

/** Whether caches may keep a file: of a private one no copy outlives the revocation of its URL. */
export type Visibility = 'public' | 'private';

/**
 * `uploads/{uploadId}`. It is written before anybody is given the object, as pending, and says where the object is:
 * whatever dies in between, a sweep knows what to remove.
 */
export interface UploadDocument {
  /** A user's uid, a team's id, or ANONYMOUS. */
  ownerId: string;
  /** The uid or pseudonym of the user who sent it; null where nobody was signed in. */
  createdBy: string | null;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of the object in the bucket. */
  path: string;
  /** Generation of the validated object, then of our copies of it. Null until the API has stored the object. */
  generation: string | null;
  /** MD5 of the validated bytes, in base64. A later object with another hash is not ours. Null like `generation`. */
  md5Hash: string | null;
  /** Whether it came through the API or straight to Storage. */
  source: 'api' | 'client';
  visibility: Visibility;
  status: 'pending' | 'stored' | 'refused';
  /** The code of the error for which it was refused. */
  reason: string | null;
  /** Null unless stored. */
  url: string | null;
  /** Of pictures. */
  dimensions: Dimensions | null;
  variants: Variant[];
  /** Paths in the bucket of variants that are being made, so that a removal knows of them. */
  plannedVariants: string[];
  createdAt: Timestamp;
  /** When the sweep removes it: what nobody signed in has sent, and what was refused. */
  deleteAt: Timestamp | null;
}

export type Upload = Writable<UploadDocument>;

const REFUSALS_STAY_MS = 24 * 3_600_000;

export function uploadRef(firestore: Firestore, id: string): DocumentReference<UploadDocument> {
  return collectionOf<UploadDocument>(firestore, 'uploads').doc(id);
}

/**
 * Writes the pending document and counts its bytes for the owner.
 *
 * @throws an error with code ALREADY_EXISTS at the commit where the id is taken
 */
export async function reserveUpload(
  transaction: Transaction,
  firestore: Firestore,
  id: string,
  upload: Upload,
  quotaBytes: number,
): Promise<void> {
  await addUsage(transaction, firestore, upload.ownerId, upload.size, quotaBytes);
  transaction.create(firestore.doc(`uploads/${id}`), upload);
}

/**
 * @returns false, having changed nothing, where it is not pending any more: removed, given up by the sweep, or stored by
 * another
 */
export async function completeUpload(
  firestore: Firestore,
  id: string,
  outcome: Pick<UploadDocument, 'url' | 'generation' | 'md5Hash'>,
): Promise<boolean> {
  const ref = uploadRef(firestore, id);
  return transact(firestore, async (transaction) => {
    if ((await transaction.get(ref)).data()?.status !== 'pending') return false;
    transaction.update(ref, { status: 'stored', ...outcome });
    return true;
  });
}

/** When a refusal has been there to read for long enough. */
export function refusedUntil(now: Date): Date {
  return new Date(now.getTime() + REFUSALS_STAY_MS);
}

export interface Refusal {
  /** The code of an error. */
  reason: string;
  deleteAt: Date;
  /** Selects the uploads to refuse, as read in the transaction; by default the pending ones. */
  applies?: (upload: UploadDocument) => boolean;
}

/**
 * Writes why an upload is refused and gives its bytes back. It cannot be completed afterwards. The caller removes the
 * objects; the document names them for the sweep.
 *
 * @returns the upload as it was before, or undefined if it is not refused by this call
 */
export async function refuseUpload(
  firestore: Firestore,
  id: string,
  { reason, deleteAt, applies = ({ status }) => status === 'pending' }: Refusal,
): Promise<UploadDocument | undefined> {
  const ref = uploadRef(firestore, id);
  return transact(firestore, async (transaction) => {
    const upload = (await transaction.get(ref)).data();
    // A refused upload has given its bytes back already.
    if (upload === undefined || upload.status === 'refused' || !applies(upload)) return undefined;
    await giveBackUsage(transaction, firestore, upload.ownerId, upload.size);
    const plannedVariants = variantPathsOf(upload);
    transaction.update(ref, {
      status: 'refused',
      reason,
      deleteAt,
      url: null,
      variants: [],
      plannedVariants,
    });
    return upload;
  });
}

/** The paths of everything in the bucket that belongs to an upload. */
export function objectsOf(upload: Removable): string[] {
  return [upload.path, ...variantPathsOf(upload)];
}

/** The paths of the variants of an upload, stored or planned. */
export function variantPathsOf({ variants, plannedVariants }: Omit<Removable, 'path'>): string[] {
  return [...variants.map(({ path }) => path), ...plannedVariants];
}

export type RecordRemoval = (transaction: Transaction, id: string) => void;

export type Removable = Pick<UploadDocument, 'path' | 'variants' | 'plannedVariants'>;

/**
 * Removes documents of one owner and gives their bytes back, once. Their objects must be gone before.
 *
 * @param removed by id, as they were when their objects were removed
 * @param record writes what else belongs to a removal, in its transaction
 * @returns those of which other objects were stored or planned since, and stay
 */
export async function forgetUploads(
  firestore: Firestore,
  ownerId: string,
  removed: ReadonlyMap<string, Removable>,
  record?: RecordRemoval,
): Promise<Map<string, UploadDocument>> {
  if (removed.size === 0) return new Map();
  return transact(firestore, async (transaction) => {
    const found = await transaction.getAll(...[...removed.keys()].map((id) => uploadRef(firestore, id)));
    const changed = new Map<string, UploadDocument>();
    let bytes = 0;
    const gone: DocumentReference[] = [];
    for (const snapshot of found) {
      const upload = snapshot.data();
      if (upload === undefined) continue;
      if (hasOtherObjects(upload, removed.get(snapshot.id))) {
        changed.set(snapshot.id, upload);
      } else {
        gone.push(snapshot.ref);
        if (upload.status !== 'refused') bytes += upload.size;
      }
    }
    if (bytes > 0) await giveBackUsage(transaction, firestore, ownerId, bytes);
    for (const ref of gone) {
      transaction.delete(ref);
      record?.(transaction, ref.id);
    }
    return changed;
  });
}

/** Whether it is not as it was: a variant may have been stored anew where one was removed. */
function hasOtherObjects(upload: UploadDocument, before: Removable | undefined): boolean {
  const objects = ({ variants, plannedVariants }: Removable) => [
    variants.map(({ url }) => url),
    plannedVariants,
  ];
  return before !== undefined && !isDeepStrictEqual(objects(upload), objects(before));
}

/** All that belongs to a user or a team, whatever its status. */
export function uploadsOf(firestore: Firestore, ownerId: string): Query<UploadDocument> {
  return collectionOf<UploadDocument>(firestore, 'uploads').where('ownerId', '==', ownerId);
}

/** All uploads sent by a user, including those to teams. */
export function uploadsBy(firestore: Firestore, uid: string): Query<UploadDocument> {
  return collectionOf<UploadDocument>(firestore, 'uploads').where('createdBy', '==', uid);
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

/** Has the sweep try again later, after those that are due before. */
export async function postponeRemoval(firestore: Firestore, id: string, deleteAt: Date): Promise<void> {
  await uploadRef(firestore, id).update({ deleteAt });
}

/** Uploads whose time is over, the longest overdue first. */
export async function overdueUploads(
  firestore: Firestore,
  now: Date,
  limit: number,
): Promise<QueryDocumentSnapshot<UploadDocument>[]> {
  const found = await collectionOf<UploadDocument>(firestore, 'uploads')
    .where('deleteAt', '<=', now)
    .orderBy('deleteAt')
    .limit(limit)
    .get();
  return found.docs;
}
