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
  /** A user's uid, a team's id, or ANONYMOUS. */
  ownerId: z.string(),
  /** The uid or pseudonym of the sender; null for an anonymous upload. */
  createdBy: z.nullable(z.string()),
  name: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Path of the object in the bucket. */
  path: z.string(),
  /** Generation of the object: as registered, then of our copies. Null until the API has stored the object. */
  generation: z._default(z.nullable(z.string()), null),
  /**
   * MD5 of the bytes of that object, in base64. An object with another hash was overwritten. Null like `generation`.
   */
  md5Hash: z._default(z.nullable(z.string()), null),
  /** Whether it came through the API or directly to Storage. */
  source: z.enum(['api', 'client']),
  visibility: z._default(z.enum(VISIBILITIES), 'public'),
  status: z.enum(UPLOAD_STATUSES),
  /** Null unless refused: the code of an error, `abandoned` or `replaced`. */
  reason: z._default(z.nullable(z.string()), null),
  /** Null unless stored. */
  url: z.nullable(z.string()),
  /** Size of a picture in pixels. */
  dimensions: z._default(z.nullable(z.object({ width: z.number(), height: z.number() })), null),
  variants: z._default(z.array(variantSchema), []),
  /** Paths in the bucket of variants that are being made, so that a removal includes them. */
  plannedVariants: z._default(z.array(z.string()), []),
  createdAt: z.date(),
  /** When the sweep removes it: set for anonymous and refused uploads, and for a stored one that was discarded. */
  deleteAt: z._default(z.nullable(z.date()), null),
});

/** The record of an upload. */
export type Upload = z.output<typeof uploadSchema>;

/** `usage/{ownerId}`: bytes of all uploads of a user or a team. It changes in the transactions that change uploads. */
export const usageSchema = z.object({ bytes: z.number() });

export type Usage = z.output<typeof usageSchema>;
