import * as z from 'zod';

export { teamSchema, type Team, type TransferOffer } from '@hearth/shared/documents/team';

/** `teamSlugs/{slug}`: reserves a slug for one team. */
export const teamSlugSchema = z.object({ teamId: z.string() });

export type TeamSlug = z.output<typeof teamSlugSchema>;
