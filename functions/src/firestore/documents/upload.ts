import * as z from 'zod';

export {
  UPLOAD_STATUSES,
  VISIBILITIES,
  uploadSchema,
  type Upload,
  type Variant,
  type Visibility,
} from '@hearth/shared/documents/upload';

/** `usage/{ownerId}`: bytes of all uploads of a user or a team. It changes in the transactions that change uploads. */
export const usageSchema = z.object({ bytes: z.number() });

export type Usage = z.output<typeof usageSchema>;
