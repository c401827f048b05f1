import * as z from 'zod';
import { instant } from '../../common/instant.ts';
import { UPLOAD_STATUSES, VISIBILITIES, type Upload } from '../../firestore/documents/upload.ts';

/** The answer of an API upload. */
export const storedFileView = z
  .strictObject({
    name: z.string(),
    contentType: z.string(),
    url: z.url(),
    size: z.int().describe('Bytes.'),
  })
  .meta({ id: 'StoredFile' });

export type StoredFileView = z.output<typeof storedFileView>;

/** Browsers and CDNs may cache public files. */
export const visibilitySchema = z.enum(VISIBILITIES).meta({ id: 'UploadVisibility' });

const variantView = z.strictObject({
  width: z.int(),
  height: z.int(),
  size: z.int().describe('Bytes.'),
  url: z.url(),
});

/** An upload as its owner or the members of its team see it. */
export const uploadView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    size: z.int().describe('Bytes.'),
    status: z.enum(UPLOAD_STATUSES).meta({ id: 'UploadStatus' }),
    reason: z
      .string()
      .nullable()
      .describe('The reason of a refusal: the code of an error, `abandoned` or `replaced`. Otherwise null.'),
    url: z.url().nullable().describe('Null unless the file is stored.'),
    visibility: visibilitySchema,
    width: z.int().nullable().describe('Pixels as shown; null unless the file is a picture.'),
    height: z.int().nullable(),
    variants: z.array(variantView).describe('Smaller copies of a picture.'),
    createdBy: z
      .string()
      .nullable()
      .describe('The uid of the sender, or a pseudonym if their account was deleted.'),
    createdAt: instant,
  })
  .meta({ id: 'Upload' });

export type UploadView = z.output<typeof uploadView>;

export function uploadViewOf(id: string, upload: Upload): UploadView {
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
    createdAt: upload.createdAt.toISOString(),
  };
}
