import * as z from 'zod';

/** `sweeps/{name}`: where a sweep over a long list continues. */
export const sweepSchema = z.object({
  /** The list that the sweep was visiting, if it visits several. */
  list: z.string().exactOptional(),
  /** Id of the last visited item; null or missing at the start. */
  after: z.string().nullable().exactOptional(),
  startedAt: z.date().exactOptional(),
  /** How many accounts are gone, as the pass under way of `sweepAccounts` has found so far. */
  lost: z.number().exactOptional(),
  /** The same number of the pass before it. */
  lostBefore: z.number().exactOptional(),
  /** The sweep leaves everything that is older than this time. */
  since: z.date().exactOptional(),
  /** Names a round whose parts are visited by tasks. */
  round: z.string().exactOptional(),
  /**
   * Ranges of creation times, in seconds. No task of the round has visited the subscriptions that were created in them.
   * `from` and `to` are inclusive.
   */
  unvisited: z.array(z.object({ from: z.number(), to: z.number() })).exactOptional(),
  /** When a task of the round last ended. */
  progressAt: z.date().exactOptional(),
});

export type SweepPosition = z.output<typeof sweepSchema>;
