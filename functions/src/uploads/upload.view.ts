import * as z from 'zod';
import { instant } from '../common/instant.ts';
import { VISIBILITIES } from '../firestore/documents/upload.ts';
import type { UploadDocument } from './upload.store.ts';

/** A file that was just uploaded. */
export const uploadView = z
  .strictObject({
    name: z.string(),
    contentType: z.string(),
    url: z.url(),
    size: z.int().describe('Bytes.'),
  })
  .meta({ id: 'StoredFile' });

export type UploadView = z.output<typeof uploadView>;

/** Browsers and CDNs may cache public files. */
export const visibilitySchema = z.enum(VISIBILITIES).meta({ id: 'UploadVisibility' });

const variantView = z.strictObject({
  width: z.int(),
  height: z.int(),
  size: z.int().describe('Bytes.'),
  url: z.url(),
});

/** An upload, as its owner sees it. */
export const managedUpload = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    size: z.int().describe('Bytes.'),
    status: z.enum(['pending', 'stored', 'refused']).meta({ id: 'UploadStatus' }),
    reason: z.string().nullable().describe('Code of the error if it was refused.'),
    url: z.url().nullable().describe('Null unless it is stored.'),
    visibility: visibilitySchema,
    width: z.int().nullable().describe('Pixels, after rotation; null if the file is not a picture.'),
    height: z.int().nullable(),
    variants: z.array(variantView).describe('Smaller copies of a picture.'),
    createdBy: z.string().nullable().describe('The uid of the sender.'),
    createdAt: instant,
  })
  .meta({ id: 'Upload' });

export type ManagedUpload = z.output<typeof managedUpload>;

export function viewOf(id: string, upload: UploadDocument): ManagedUpload {
  const { name, contentType, size, status, reason, url, visibility, createdBy } = upload;
  return {
    id,
    name,
    contentType,
    size,
    status,
    reason,
    url,
    visibility,
    width: upload.dimensions?.width ?? null,
    height: upload.dimensions?.height ?? null,
    variants: upload.variants.map((variant) => ({
      width: variant.width,
      height: variant.height,
      size: variant.size,
      url: variant.url,
    })),
    createdBy,
    createdAt: upload.createdAt.toDate().toISOString(),
  };
}
