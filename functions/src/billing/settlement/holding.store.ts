import type { Backend } from '../../backend.ts';
import type { Reads, Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Team } from '../../firestore/documents/team.ts';
import type { Stored } from '../../firestore/query.ts';
import { planOrFree } from '../../settings/plans.ts';
import { recordPlanChange } from '../plan-change.store.ts';
import { runningAndGrantedSubscriptions } from '../subscriptions/subscription.store.ts';
import { holdingOf, ownedPlansOf, type Holding } from '../subscriptions/holding.ts';
import { updateTeamPlan } from '../subscriptions/sync/team-plan.ts';

/** The documents beside the customer's own that decide the holding, and the team that gets its plan. */
export interface HoldingSources {
  /** The running subscriptions and the granted plans. */
  readonly subscriptions: readonly Stored<SubscriptionDocument>[];
  /** Undefined for a user. */
  readonly team: Team | undefined;
}

/** Reads what decides the holding of a customer, apart from the customer itself. */
export async function readHoldingSources(
  reads: Reads,
  customerId: string,
  { type }: Pick<CustomerDocument, 'type'>,
): Promise<HoldingSources> {
  const [subscriptions, team] = await Promise.all([
    runningAndGrantedSubscriptions(reads, customerId).findIntact(),
    type === 'team' ? reads.teams.get(customerId) : undefined,
  ]);
  return { subscriptions, team };
}

/**
 * Stores the plan that a customer holds now, after a change that is no sync of a subscription. A team gets its plan and
 * limits in the same transaction. The caller syncs the claims of a user afterwards.
 *
 * @param change.customer with the new `ownedPlans`; its other fields as they are stored
 */
export function updateHolding(
  { config, now }: Backend,
  tx: Tx,
  change: HoldingSources & { customerId: string; customer: CustomerDocument },
): Holding {
  const { customerId, customer, team } = change;
  const { plans } = config;
  const subscriptions = change.subscriptions.map(({ data }) => data);
  const holding = holdingOf(subscriptions, config, now(), ownedPlansOf(customer, plans));
  const { slug } = holding.plan;
  if (customer.plan !== slug) tx.customers.update(customerId, { plan: slug });
  const from = planOrFree(plans, customer.plan).slug;
  recordPlanChange(tx, { customerId, type: customer.type, from, to: slug, at: now() });
  if (team) {
    const { entitlements } = customer;
    const target = { teamId: customerId, team, holding, entitlements, subscriptions };
    updateTeamPlan(tx, { ...target, offered: config, now: now() });
  }
  return holding;
}
