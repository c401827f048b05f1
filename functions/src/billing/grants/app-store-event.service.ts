import type { Backend } from '../../backend.ts';
import { logFault, logWarning } from '../../common/log.ts';
import type { Tx } from '../../firestore/db.ts';
import {
  grantIdOf,
  isLater,
  momentOf,
  planOfEvent,
  stateAfter,
  userIdsOf,
  type AppStorePurchaseState,
  type AppStoreEvent,
} from './app-store-event.ts';
import { endedGrant, momentOfGrant, appStoreGrantOf } from './app-store-grant.ts';
import { transferPurchases } from './app-store-transfer.service.ts';
import {
  findUsers,
  getOrCreateAppStoreCustomer,
  findPresentOwner,
  type AppStoreUser,
} from './app-store-user.store.ts';
import { endGrant, syncClaimsAfterGrant, writeGrants } from './grant.service.ts';

/**
 * The latest event of a purchase decides its state, so events can come twice, late and in any order. Events with an
 * unknown user, plan or type are ignored.
 *
 * @throws Refusal `customer_closed`: the sender repeats the event
 */
export async function handleAppStoreEvent(backend: Backend, event: AppStoreEvent): Promise<void> {
  if (event.environment === 'SANDBOX' && !backend.config.storeSandbox) return;
  if (event.type === 'TRANSFER') {
    await transferPurchases(backend, event);
    return;
  }
  const state = stateAfter(event);
  if (state === undefined) return;
  const [user] = await findUsers(backend, userIdsOf(event));
  if (user === undefined) {
    logWarning('A purchase in an app store belongs to no user', `${event.type} ${event.id}`);
    return;
  }
  const uid = await backend.db.run((tx) => applyEvent(backend, tx, { user, event, state }));
  // Also needed for a repeated event: an earlier attempt may have failed before it synced the claims.
  if (uid !== undefined) await syncClaimsAfterGrant(backend, uid);
}

interface Application {
  user: AppStoreUser;
  event: AppStoreEvent;
  state: AppStorePurchaseState;
}

/** @returns the uid of the user who has the purchase now; undefined if nobody has it */
async function applyEvent(
  backend: Backend,
  tx: Tx,
  { user, event, state }: Application,
): Promise<string | undefined> {
  const now = backend.now();
  const owner = await findPresentOwner(tx, user, event, now);
  if (owner === undefined) return undefined;
  const { customerId } = owner.user;
  const id = grantIdOf(event);
  const stored = await tx.subscriptions(customerId).getIntact(id);
  if (stored !== undefined && !isLater(momentOf(event), momentOfGrant(stored))) return customerId;
  const slug = planOfEvent(event, backend.config.plans)?.slug ?? stored?.role ?? null;
  if (slug === null) {
    reportNoPlan(event, customerId, state);
    return undefined;
  }
  const grant = appStoreGrantOf(event, { ...state, slug }, stored, now);
  const customer = await getOrCreateAppStoreCustomer(backend, tx, owner);
  await writeGrants(backend, tx, { customerId, customer }, new Map([[id, grant]]));
  return customerId;
}

/**
 * Logs a purchase that gives no plan, because the user has paid for it. For an ended purchase there is nothing to give.
 * A purchase without an end and without an entitlement can be a product that the app itself gives, such as credits.
 */
function reportNoPlan(
  { type, id, product_id: product, entitlement_ids: named }: AppStoreEvent,
  uid: string,
  { endsAt }: AppStorePurchaseState,
): void {
  if (endsAt === null) return;
  if (endsAt === 'never' && (named ?? []).length === 0) {
    logWarning('A purchase in an app store names no entitlement', `${type} ${id}`);
    return;
  }
  logFault(
    'A purchase in an app store is for no plan',
    { uid, product: product ?? '', event: `${type} ${id}` },
    'Name an entitlement of the product after a plan for users. Until the next event give the user the plan.',
  );
}

/** Ends a purchase whose end has passed, if no event has ended it. Idempotent. */
export async function endAppStoreGrant(backend: Backend, customerId: string, id: string): Promise<void> {
  await backend.db.run(async (tx) => {
    const grant = await tx.subscriptions(customerId).getIntact(id);
    if (!grant?.grace_until || grant.grace_until > backend.now()) return;
    await endGrant(backend, tx, { customerId, id }, endedGrant(grant));
  });
  await syncClaimsAfterGrant(backend, customerId);
}
