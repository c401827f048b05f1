import * as z from 'zod';

/**
 * `trials/{id}`: a free trial that has begun or is reserved for an open checkout. The id is a uid, a team's id, or the
 * keyed hash of a user's address. The document of an address outlives the account, so that registering again gives no
 * second trial. A team's trial also counts for the responsible owner and for the member who began it.
 */
export const trialSchema = z.object({
  /** The user or team whose checkout has the trial. */
  customerId: z.string(),
  reservedAt: z.date(),
  usedAt: z.date().exactOptional(),
  /** In the document of a uid: the id of the document of the user's address. */
  addressId: z.string().exactOptional(),
});

export type Trial = z.output<typeof trialSchema>;
