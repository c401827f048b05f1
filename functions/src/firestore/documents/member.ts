import * as z from 'zod';
import { ROLES } from '@hearth/shared/roles';

/** `teams/{teamId}/members/{uid}`: the id is the uid, so that a user has at most one membership in a team. */
export const memberSchema = z.object({
  /** Repeats the id, because a collection group query cannot filter by it. */
  uid: z.string(),
  role: z.enum(ROLES),
  email: z.string().nullable().default(null),
  displayName: z.string().nullable().default(null),
  joinedAt: z.date(),
});

export type Member = z.output<typeof memberSchema>;
