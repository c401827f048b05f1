import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { HOUR_MS } from '../../common/durations.ts';
import type { Upload } from '../../firestore/documents/upload.ts';

/** An id of an upload: ours, or one that a client chose for a direct upload. */
export const uploadIdSchema = z.string().regex(/^[A-Za-z0-9]{20,64}$/, 'is not an upload id');

/** An id that nobody can guess: 128 random bits. */
export function newUploadId(): string {
  return randomBytes(16).toString('hex');
}

/** The fields of an upload record that are known before the file is stored. */
type InitialFields = Pick<
  Upload,
  'ownerId' | 'createdBy' | 'name' | 'contentType' | 'size' | 'path' | 'source' | 'createdAt'
> &
  Partial<Pick<Upload, 'generation' | 'md5Hash' | 'visibility' | 'dimensions' | 'deleteAt'>>;

/** The pending record of an API upload or a direct upload. */
export function newUploadRecord(upload: InitialFields): Upload {
  return {
    generation: null,
    md5Hash: null,
    visibility: 'public',
    dimensions: null,
    deleteAt: null,
    ...upload,
    status: 'pending',
    reason: null,
    url: null,
    variants: [],
    possibleVariants: [],
  };
}

/** For this time users can read the reason of a refusal. */
const REFUSAL_SHOWN_MS = 24 * HOUR_MS;

/** When the sweep removes the record of an upload that is refused now. */
export function refusalExpiry(now: Date): Date {
  return new Date(now.getTime() + REFUSAL_SHOWN_MS);
}

/** The fields of an upload record that name its objects in the bucket. */
export type ObjectsOfUpload = Pick<Upload, 'path' | 'variants' | 'possibleVariants'>;

export function objectPathsOf(upload: ObjectsOfUpload): string[] {
  return [upload.path, ...variantPathsOf(upload)];
}

/** The paths at which variants of an upload are or may be stored. */
export function variantPathsOf({ variants, possibleVariants }: Omit<ObjectsOfUpload, 'path'>): string[] {
  return [...variants.map(({ path }) => path), ...possibleVariants];
}
