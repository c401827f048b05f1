import { teamSchema as currentSchema } from '@hearth/shared/documents/team';
import * as z from 'zod';
import { withCurrentNames } from './former-names.ts';

export type { Team, TransferOffer } from '@hearth/shared/documents/team';

export const teamSchema = z.preprocess(
  (document) => withIsCustomer(withCurrentNames(document)),
  currentSchema,
);

/** Before there was `isCustomer`, only customers had `hasRunningSubscription`, which could be false. */
function withIsCustomer(document: unknown): unknown {
  const isFormer = typeof document === 'object' && document !== null && 'hasRunningSubscription' in document;
  return isFormer ? { isCustomer: true, ...document } : document;
}

/** `teamSlugs/{slug}`: the one team that has a slug. */
export const teamSlugSchema = z.object({ teamId: z.string() });

export type TeamSlug = z.output<typeof teamSlugSchema>;
