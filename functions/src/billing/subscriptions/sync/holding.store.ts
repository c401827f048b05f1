import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import { isIntact, type Placed } from '../../../firestore/query.ts';
import { recreateCustomer, type LostCustomer } from '../../customer.ts';
import { recordPlanChange } from '../../plan-change.store.ts';
import { holdingOf, ownedPlansOf, storedPlanSlug, type Holding } from '../holding.ts';
import { runningAndGrantedSubscriptions } from '../subscription.store.ts';
import { updateTeamPlan } from './team-plan.ts';

/** The documents besides the customer's own that decide the holding, and the team that gets the plan. */
export interface HoldingSources {
  /** The running subscriptions and the granted plans. */
  readonly subscriptions: readonly Placed<SubscriptionDocument>[];
  /** Undefined for a user, and for a team whose document is gone. */
  readonly team: Team | undefined;
}

/**
 * Reads what decides the holding of a customer, apart from the customer's document.
 *
 * @param isReplaced true for the id of a document that the calling function writes or deletes, so that damage to it
 *   does not matter
 * @throws DamagedDocument for any other damaged document, because without it the customer could lose a plan
 */
export async function readHoldingSources(
  reads: Reads,
  customerId: string,
  { type }: Pick<CustomerDocument, 'type'>,
  isReplaced: (id: string) => boolean = () => false,
): Promise<HoldingSources> {
  const [found, team] = await Promise.all([
    runningAndGrantedSubscriptions(reads, customerId).findWithDamaged(),
    type === 'team' ? reads.teams.get(customerId) : undefined,
  ]);
  const damaged = found.find(({ id, data }) => data === undefined && !isReplaced(id));
  // Reading the damaged document throws the damage.
  if (damaged !== undefined) await reads.subscriptions(customerId).get(damaged.id);
  return { subscriptions: found.filter(isIntact), team };
}

/** A customer whose holding is to be stored, with everything that decides it. */
interface HoldingChange {
  customerId: string;
  /**
   * The fields of the customer after this transaction, such as `ownedPlans` with a new purchase. Only `plan` and
   * `addOns` are from before, to be compared with the new holding.
   */
  customer: HoldingFields;
  /** The running subscriptions and the granted plans. Subscriptions that have ended are ignored. */
  subscriptions: readonly SubscriptionDocument[];
  /** Undefined for a user, and for a team whose document is gone. */
  team: Team | undefined;
  /** Data to create the document of a lost customer. Undefined if the document exists. */
  lostCustomer?: LostCustomer | undefined;
}

type HoldingFields = Pick<CustomerDocument, 'type' | 'plan' | 'addOns' | 'ownedPlans' | 'entitlements'>;

/**
 * Stores the plan and the add-ons that a customer holds now, and what follows from them: the plan and the limits of a
 * team, and the record of a change of plan. Creates the document of a lost customer. For a user, the calling function
 * syncs the claims after the commit.
 */
export function applyHolding(
  { config, now }: Pick<Backend, 'config' | 'now'>,
  tx: Tx,
  change: HoldingChange,
): Holding {
  const { customerId, customer, subscriptions, team } = change;
  const { plans } = config;
  const at = now();
  const holding = holdingOf(subscriptions, config, at, ownedPlansOf(customer, plans));
  writeCustomer(tx, change, holding, at);
  const from = storedPlanSlug(plans, customer);
  recordPlanChange(tx, { customerId, type: customer.type, from, to: holding.plan.slug, at });
  if (team) {
    const { entitlements } = customer;
    const target = { teamId: customerId, team, holding, entitlements, subscriptions };
    updateTeamPlan(tx, { ...target, plansAndExtras: config, now: at });
  }
  return holding;
}

function writeCustomer(
  tx: Tx,
  { customerId, customer, lostCustomer }: HoldingChange,
  { plan: { slug: plan }, addOns }: Holding,
  now: Date,
): void {
  const hasOtherAddOns = !isDeepStrictEqual(customer.addOns ?? {}, addOns);
  const change = { plan, ...(hasOtherAddOns && { addOns }) };
  if (lostCustomer) tx.customers.create(customerId, recreateCustomer(lostCustomer, change, now));
  else if (hasOtherAddOns || customer.plan !== plan) tx.customers.update(customerId, change);
}
