import type { Backend } from '../../backend.ts';
import { closeUsage } from '../../billing/usage/close.service.ts';
import { recordAction, type Operator } from '../operator.service.ts';

/**
 * Closes the usage from before a time that was not sent, after a backup was restored.
 *
 * @throws Error as `closeUsage`
 */
export async function closeUsageAsOperator(
  backend: Backend,
  operator: Operator,
  before: Date,
): Promise<void> {
  await recordAction(backend, operator, { action: 'admin.usage_closed', target: before.toISOString() });
  await closeUsage(backend, before);
}
