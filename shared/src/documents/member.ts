import * as z from 'zod/mini';
import { ROLES } from '../roles.ts';

/** `teams/{teamId}/members/{uid}`: the id is the uid, so that a user has at most one membership in a team. */
export const memberSchema = z.object({
  /** Repeats the id, because a collection group query cannot filter by it. */
  uid: z.string(),
  role: z.enum(ROLES),
  /** An address that the member has verified; null if there is none. */
  email: z._default(z.nullable(z.string()), null),
  displayName: z._default(z.nullable(z.string()), null),
  joinedAt: z.date(),
});

export type Member = z.output<typeof memberSchema>;
