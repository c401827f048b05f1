import { isDeepStrictEqual } from 'node:util';
import type { UserRecord } from 'firebase-admin/auth';
import type { AuthAdmin } from '../../../auth/users/auth-admin.ts';
import type { Backend } from '../../../backend.ts';
import { CLAIMS_TOO_LARGE, hasCode, USER_NOT_FOUND } from '../../../common/error-code.ts';
import { logFault } from '../../../common/log.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import { freePlan, type PlanList } from '../../../settings/plans.ts';
import { storedHoldingOf, type StoredHolding } from '../stored-holding.ts';

/** The custom claims that name the plan. Clients of the Stripe extension read `stripeRole`. */
const PLAN_CLAIMS = ['plan', 'stripeRole'] as const;

type Claims = Record<string, unknown>;

/**
 * Syncs our custom claims of a user. Writes the claims of `holding`. Claims with other names stay.
 *
 * A transaction of Firestore does not cover Firebase Auth. Therefore each call reads the customer's document again
 * after it has written the claims, and repeats until both agree. For example, the plan changes during a call:
 *
 * 1. The first call has read the plan `free`.
 * 2. The plan changes to `pro`, and the second call writes `pro`.
 * 3. The first call writes `free`. It reads the document again, and writes `pro`.
 *
 * @returns false if the user does not exist
 */
export async function syncClaims(backend: Backend, uid: string, holding: StoredHolding): Promise<boolean> {
  const { plans } = backend.config;
  let wanted = claimsOf(plans, holding);
  for (;;) {
    const outcome = await writeClaims(backend.auth, uid, wanted);
    if (outcome === 'no_user') return false;
    // No second read is needed: this call has overwritten nothing, and a sync that stores a newer holding writes the
    // claims itself.
    if (outcome === 'unchanged') return true;
    const stored = claimsOf(plans, storedHoldingOf(plans, await backend.db.customers.get(uid)));
    if (isDeepStrictEqual(stored, wanted)) return true;
    wanted = stored;
  }
}

export function hasClaimsOf(
  { customClaims }: UserRecord,
  { plans }: Pick<PlansAndExtras, 'plans'>,
  holding: StoredHolding,
): boolean {
  return includesAll(customClaims ?? {}, claimsOf(plans, holding));
}

/**
 * Our claims: `plan`, `stripeRole` and `addOns`, and `entitlements` once Stripe has given one. They overwrite what
 * another program has written. The value undefined removes a claim. Claims that are not in the result stay as they are.
 */
function claimsOf(plans: PlanList, { planSlug, addOns = {}, entitlements }: StoredHolding): Claims {
  const plan = planSlug === freePlan(plans).slug ? undefined : planSlug;
  return {
    ...Object.fromEntries(PLAN_CLAIMS.map((name) => [name, plan])),
    addOns: Object.keys(addOns).length === 0 ? undefined : addOns,
    ...(entitlements && { entitlements: entitlements.length === 0 ? undefined : [...entitlements] }),
  };
}

async function writeClaims(
  auth: AuthAdmin,
  uid: string,
  own: Claims,
): Promise<'written' | 'unchanged' | 'no_user'> {
  try {
    const { customClaims: claims = {} } = await auth.getUser(uid);
    if (includesAll(claims, own)) return 'unchanged';
    const others = Object.fromEntries(Object.entries(claims).filter(([name]) => !Object.hasOwn(own, name)));
    await setClaimsWithinLimit(auth, uid, others, own);
    return 'written';
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return 'no_user';
    throw refusal('auth_unavailable', {}, { cause: error });
  }
}

/**
 * If the claims are too large, leaves out the entitlements, then also the plan and the add-ons. Logs this as an error
 * instead of throwing, because a retry would fail too. Removes our earlier claims, because they may name a plan that
 * has ended.
 */
async function setClaimsWithinLimit(
  auth: AuthAdmin,
  uid: string,
  others: Claims,
  own: Claims,
): Promise<void> {
  const { entitlements, ...withoutEntitlements } = own;
  if (await trySetClaims(auth, uid, { ...others, ...own })) return;
  if (entitlements !== undefined) {
    logFault('Claims are too large for the entitlements', { uid }, TOO_LARGE_REASON);
    if (await trySetClaims(auth, uid, { ...others, ...withoutEntitlements })) return;
  }
  logFault('Claims are too large for a plan', { uid }, TOO_LARGE_REASON);
  await auth.setCustomUserClaims(uid, others);
}

const TOO_LARGE_REASON = 'The claims of other programs and ours have more than 1,000 characters.';

/** @returns false if the claims are too large */
async function trySetClaims(auth: AuthAdmin, uid: string, claims: Claims): Promise<boolean> {
  try {
    const present = Object.entries(claims).filter(([, value]) => value !== undefined);
    await auth.setCustomUserClaims(uid, Object.fromEntries(present));
    return true;
  } catch (error) {
    if (hasCode(error, CLAIMS_TOO_LARGE)) return false;
    throw error;
  }
}

function includesAll(claims: Claims, own: Claims): boolean {
  return Object.keys(own).every((name) => isDeepStrictEqual(claims[name], own[name]));
}
