import * as z from 'zod';

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
 * `uploads/{uploadId}`: the upload record. It is written before the object is used, and names every object of the upload,
 * so that a sweep can remove them after a crash.
 */
export const uploadSchema = z.object({
  /** A user's uid, a team's id, or ANONYMOUS. */
  ownerId: z.string(),
  /** The uid or pseudonym of the sender; null for an anonymous upload. */
  createdBy: z.string().nullable(),
  name: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Path of the object in the bucket. */
  path: z.string(),
  /** Generation of the validated object, then of our copies of it. Null until the API has stored the object. */
  generation: z.string().nullable().default(null),
  /** MD5 of the validated bytes, in base64. An object with another hash was replaced. Null like `generation`. */
  md5Hash: z.string().nullable().default(null),
  /** Whether it came through the API or directly to Storage. */
  source: z.enum(['api', 'client']),
  visibility: z.enum(VISIBILITIES).default('public'),
  status: z.enum(UPLOAD_STATUSES),
  /** The code of the refusal. */
  reason: z.string().nullable().default(null),
  /** Null unless stored. */
  url: z.string().nullable(),
  /** Size of a picture in pixels. */
  dimensions: z.object({ width: z.number(), height: z.number() }).nullable().default(null),
  variants: z.array(variantSchema).default([]),
  /** Paths in the bucket of variants that are being made, so that a removal includes them. */
  plannedVariants: z.array(z.string()).default([]),
  createdAt: z.date(),
  /** When the sweep removes it: set for anonymous and refused uploads. */
  deleteAt: z.date().nullable().default(null),
});

/** The record of an upload. */
export type Upload = z.output<typeof uploadSchema>;

/** `usage/{ownerId}`: bytes of all uploads of a user or a team. It changes in the transactions that change uploads. */
export const usageSchema = z.object({ bytes: z.number() });

export type Usage = z.output<typeof usageSchema>;
