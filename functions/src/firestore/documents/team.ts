import * as z from 'zod';

export { teamSchema, type Team, type TransferOffer } from '@hearth/shared/documents/team';

/** `teamSlugs/{slug}`: the one team that has a slug. */
export const teamSlugSchema = z.object({ teamId: z.string() });

export type TeamSlug = z.output<typeof teamSlugSchema>;
