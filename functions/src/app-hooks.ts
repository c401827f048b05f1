import type { PlanChange } from './firestore/documents/plan-change.ts';

/** Code of the app that the service calls. A hook may run twice for the same event, so it must be idempotent. */
export interface AppHooks {
  /**
   * Runs after the plan of a user or team has changed. If the hook throws or takes longer than 20 seconds, it runs
   * again: after seconds at first, later after minutes, and after a day every hour. Changes of one customer may arrive
   * in another order than they happened; `at` orders them.
   *
   * @param change.id the same each time that the change is delivered
   */
  readonly onPlanChanged: (change: PlanChange & { readonly id: string }) => Promise<void>;
}

/**
 * The hooks of this app. Write your code here.
 *
 * @example
 * onPlanChanged: async ({ id, type, customerId, from, to }) => {
 *   await fetch('https://crm.example.com/plans', {
 *     method: 'POST',
 *     headers: { 'Content-Type': 'application/json', 'Idempotency-Key': id },
 *     body: JSON.stringify({ type, customerId, from, to }),
 *     signal: AbortSignal.timeout(10_000),
 *   });
 * },
 */
export const APP_HOOKS: AppHooks = {
  onPlanChanged: () => Promise.resolve(),
};
