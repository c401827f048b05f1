import * as z from 'zod';

/** `planChanges/{id}`: a change of plan that was not yet delivered to the app. Deleted after the delivery. */
export const planChangeSchema = z.object({
  /** A uid or the id of a team. */
  customerId: z.string(),
  type: z.enum(['user', 'team']),
  /** Slugs of the plan before and after. */
  from: z.string(),
  to: z.string(),
  at: z.date(),
});

export type PlanChange = z.output<typeof planChangeSchema>;
