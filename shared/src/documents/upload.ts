import * as z from 'zod/mini';

/** A smaller copy of a picture. */
const variantSchema = z.object({
  /** Pixels. */
  width: z.number(),
  height: z.number(),
  /** Path of the object in the bucket. */
  path: z.string(),
  url: z.string(),
  /** Bytes. */
  size: z.number(),
});

export type Variant = z.output<typeof variantSchema>;

/** `private` forbids caches to keep the file, so that no copy outlives the revocation of its URL. */
export const VISIBILITIES = ['public', 'private'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

export const UPLOAD_STATUSES = ['pending', 'stored', 'refused'] as const;

/**
 * `uploads/{uploadId}`: the upload record. It is written before the object is used, and names every object of the
 * upload, so that a sweep can remove them after a crash.
 */
export const uploadSchema = z.object({
  /** A user's uid, a team's id, or `_anonymous` for an anonymous upload. */
  ownerId: z.string(),
  /** The uid or pseudonym of the sender; null for an anonymous upload. */
  createdBy: z.nullable(z.string()),
  name: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Path of the object in the bucket. */
  path: z.string(),
  /** The generation of the object that we registered or wrote last. Null until an API upload is stored. */
  generation: z._default(z.nullable(z.string()), null),
  /**
   * MD5 of the bytes of the object, in base64. An object with another hash was overwritten. Null until an API upload is
   * stored, and for an object whose MD5 Storage did not compute.
   */
  md5Hash: z._default(z.nullable(z.string()), null),
  /** `api` for an API upload, `client` for a direct upload. */
  source: z.enum(['api', 'client']),
  visibility: z._default(z.enum(VISIBILITIES), 'public'),
  status: z.enum(UPLOAD_STATUSES),
  /** The reason of a refused upload: the code of a refusal, `abandoned` or `replaced`. Otherwise null. */
  reason: z._default(z.nullable(z.string()), null),
  /** Null unless the upload is stored. Also null while `renewUrl` makes a new URL. */
  url: z.nullable(z.string()),
  /** Size of a picture in pixels. */
  dimensions: z._default(z.nullable(z.object({ width: z.number(), height: z.number() })), null),
  variants: z._default(z.array(variantSchema), []),
  /**
   * Paths of further variants that the bucket may have, so that a removal finds them: variants that are being made, and
   * all variants of a refused upload.
   */
  possibleVariants: z._default(z.array(z.string()), []),
  createdAt: z.date(),
  /**
   * When the sweep removes the upload. Set for anonymous uploads, for refused uploads, and for a stored upload that
   * could not be discarded immediately.
   */
  deleteAt: z._default(z.nullable(z.date()), null),
});

/** The record of an upload. */
export type Upload = z.output<typeof uploadSchema>;

/**
 * `usage/{ownerId}`: the bytes of all uploads of a user or a team, without refused uploads. It changes in the
 * transactions that change upload records.
 */
export const storageUsageSchema = z.object({ bytes: z.number() });

export type StorageUsage = z.output<typeof storageUsageSchema>;
