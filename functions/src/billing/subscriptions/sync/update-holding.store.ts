import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import type { Tx } from '../../../firestore/db.ts';
import { SYSTEM } from '../../../firestore/documents/audit-entry.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import { findPlan } from '../../../settings/plans.ts';
import { recreateCustomer, type LostCustomer } from '../../customer-rules.ts';
import { limitsOf } from '../access/limits.ts';
import { holdingOf, ownedPlansOf, type Holding } from '../holding.ts';
import { planItemIfRunning } from '../plan-item.ts';
import { isRunning } from '../status.ts';
import { planSlugEvenIfRemoved } from '../stored-holding.ts';
import { recordIfPlanChanged } from './plan-change.store.ts';

/** The values from which `updateHolding` finds and stores a holding. */
interface HoldingUpdate {
  customerId: string;
  /** The customer before this transaction: the document, or the data of a lost customer. */
  customer: Pick<CustomerDocument, 'type' | 'plan' | 'addOns' | 'ownedPlans' | 'entitlements'>;
  /** The owned plans after this transaction, if it changes them. By default the owned plans of `customer`. */
  ownedPlans?: CustomerDocument['ownedPlans'];
  /** The running subscriptions and the granted plans. May also have ended subscriptions: they give nothing. */
  subscriptions: readonly SubscriptionDocument[];
  /** Undefined for a user, and for a team whose document is gone. */
  team: Team | undefined;
  /** Data to create the document of a lost customer. Undefined if the document exists. */
  lostCustomer?: LostCustomer | undefined;
}

/**
 * Finds the plan and the add-ons that a customer has now, and stores them in our customer and, for a team, in the
 * document of the team. Records a change of plan. For a user, the calling function must sync the claims after the
 * commit.
 */
export function updateHolding(
  { config, now }: Pick<Backend, 'config' | 'now'>,
  tx: Tx,
  update: HoldingUpdate,
): Holding {
  const { customerId, customer, subscriptions, team } = update;
  const { ownedPlans = customer.ownedPlans } = update;
  const { plans } = config;
  const at = now();
  const holding = holdingOf(subscriptions, config, at, ownedPlansOf({ ownedPlans }, plans));
  writeCustomer(tx, update, holding, at);
  // `from` keeps the slug of a plan that was removed from the configuration. If `from` were the free plan, no change
  // would be recorded when the customer loses the removed plan.
  const from = planSlugEvenIfRemoved(plans, customer);
  recordIfPlanChanged(tx, { customerId, type: customer.type, from, to: holding.plan.slug, at });
  if (team) writeTeam(tx, config, { ...update, team, holding, at });
  return holding;
}

function writeCustomer(
  tx: Tx,
  { customerId, customer, lostCustomer }: HoldingUpdate,
  { plan: { slug: plan }, addOns }: Holding,
  now: Date,
): void {
  const haveAddOnsChanged = !isDeepStrictEqual(customer.addOns ?? {}, addOns);
  const fields = { plan, ...(haveAddOnsChanged && { addOns }) };
  if (lostCustomer) {
    const { ownedPlans } = customer;
    const restored = { ...fields, ...(ownedPlans && { ownedPlans }) };
    tx.customers.create(customerId, recreateCustomer(lostCustomer, restored, now));
  } else if (haveAddOnsChanged || customer.plan !== plan) {
    tx.customers.update(customerId, fields);
  }
}

interface TeamUpdate extends HoldingUpdate {
  team: Team;
  holding: Holding;
  at: Date;
}

/**
 * Writes the fields that a team needs from billing, and an audit entry if the plan has changed. A team with more
 * members than the new seat limit keeps its members, but nobody can be added.
 */
function writeTeam(tx: Tx, config: Backend['config'], change: TeamUpdate): void {
  const { customerId: teamId, team, holding, subscriptions, at } = change;
  const { entitlements } = change.customer;
  const { plan, addOns } = holding;
  const { plans } = config;
  const fields = {
    plan: plan.slug,
    seatLimit: limitsOf(config, { plan: plan.slug, addOns }).seats,
    isCustomer: true,
    hasRunningSubscription: subscriptions.some(isRunning),
    // True for a price per seat and for a base price with seats. Also true while a change is planned, because it may
    // lead to such a price.
    billingDependsOnMembers: subscriptions.some((subscription) => {
      const item = planItemIfRunning(subscription, plans);
      return item !== undefined && (item.pricing.kind !== 'flat' || subscription.schedule !== null);
    }),
    ...(!isDeepStrictEqual(team.addOns ?? {}, addOns) && { addOns }),
    ...(entitlements && { entitlements: [...entitlements] }),
  };
  if (!isDeepStrictEqual({ ...team, ...fields }, team)) tx.teams.update(teamId, fields);
  // `findPlan` also finds a plan by its former slug.
  const isSamePlan = findPlan(plans, team.plan) === plan;
  if (isSamePlan) return;
  tx.audit.record({
    teamId,
    actorId: SYSTEM,
    action: 'billing.plan_changed',
    target: teamId,
    at,
    details: { from: team.plan, to: plan.slug },
  });
}
