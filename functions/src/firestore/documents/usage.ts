import * as z from 'zod';

/**
 * `usageReports/{id}`: units that a user or team has used of a meter. The id follows from the customer and the key of
 * the report, so that no report counts twice. Each report is a document, so that reports never wait for each other.
 */
export const usageReportSchema = z.object({
  /** A uid or the id of a team. */
  customerId: z.string(),
  /** Slug of the meter. */
  meter: z.string(),
  /** Whole units. */
  value: z.number(),
  at: z.date(),
  /** Id of the batch that has this report; null before that. */
  batchId: z.string().nullable(),
  /** A random id of the call that made the report, by which the call recognizes its own commit after a lost answer. */
  callId: z.string().exactOptional(),
  deleteAt: z.date(),
});

export type UsageReport = z.output<typeof usageReportSchema>;

/**
 * `usageBatches/{id}`: reports of one customer and meter within five minutes and one billing period, sent to Stripe as
 * one meter event.
 */
export const usageBatchSchema = z.object({
  customerId: z.string(),
  /** Slug of the meter. */
  meter: z.string(),
  /** Sum of the reports. */
  value: z.number(),
  /** Time of the first report, and of the meter event. */
  at: z.date(),
  /**
   * - `waiting`: to be sent, as soon as the customer has a Stripe customer.
   * - `sent`: Stripe has it.
   * - `expired`: never sent, because Stripe accepts events of the last 35 days only.
   * - `unclear`: not sent again, because Stripe may have it. Stripe did not answer for a day after the first attempt,
   *   or an operator has closed the usage after a backup was restored.
   */
  status: z.enum(['waiting', 'sent', 'expired', 'unclear']),
  /** Time of the next attempt; null unless the batch is waiting. */
  sendAt: z.date().nullable(),
  /** Start of the first attempt whose outcome is unknown. */
  triedAt: z.date().nullable(),
  deleteAt: z.date(),
});

export type UsageBatch = z.output<typeof usageBatchSchema>;
