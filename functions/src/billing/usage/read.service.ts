import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { authorize } from '../../teams/authorize.store.ts';
import { planItemIfRunning } from '../subscriptions/plan-item.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { sumOfUsage } from './usage.store.ts';

interface Period {
  start: Date;
  end: Date;
}

export interface CurrentUsage {
  period: Period;
  /** All meters, also those without usage. */
  meters: { slug: string; name: string; value: number }[];
}

/**
 * Reads the usage of the caller or of a team within the current period, including reports that Stripe does not have
 * yet. Reads one document for each running subscription, at least one; at least two for each meter; and two for a team.
 *
 * @throws Refusal as `authorize`, for a team
 */
export async function readUsage(
  backend: Backend,
  caller: Caller,
  team: string | undefined,
): Promise<CurrentUsage> {
  const { config, db } = backend;
  if (team !== undefined) await authorize(db, caller, team, 'team:read');
  const customerId = team ?? caller.uid;
  const period = await currentPeriod(backend, customerId);
  const meters = await Promise.all(
    config.extras.meters.map(async ({ slug, name }) => ({
      slug,
      name,
      value: await sumOfUsage(db, { customerId, meter: slug }, period.start),
    })),
  );
  return { period, meters };
}

/** The billing period of the subscription that pays for a plan; otherwise the calendar month in UTC. */
async function currentPeriod({ config, db, now }: Backend, customerId: string): Promise<Period> {
  const running = await runningSubscriptions(db, customerId).findIntact();
  const current = running.find(({ data }) => planItemIfRunning(data, config.plans) !== undefined)?.data;
  const { current_period_start: start = null, current_period_end: end = null } = current ?? {};
  return start !== null && end !== null ? { start, end } : monthOf(now());
}

function monthOf(now: Date): Period {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
