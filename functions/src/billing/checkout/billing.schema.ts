import * as z from 'zod';
import { INTERVALS } from '../../settings/plans.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';

export const checkoutQuery = z.strictObject({
  team: teamIdSchema.optional(),
  interval: z.enum(INTERVALS).default('month'),
});

export const portalQuery = z.strictObject({ team: teamIdSchema.optional() });

export const returnQuery = z.strictObject({
  session_id: z.string().regex(/^cs_[A-Za-z0-9_]{1,250}$/, 'is not the id of a checkout'),
});
