import type { Auth, UserRecord } from 'firebase-admin/auth';
import type { Backend } from '../../backend.ts';
import { CLAIMS_TOO_LARGE, hasCode, USER_NOT_FOUND } from '../../common/error-code.ts';
import { logFault } from '../../common/log.ts';
import { refuse } from '../../refusals.ts';
import type { Config } from '../../settings/config.ts';
import { freePlan, planOfSlug } from '../../settings/plans.ts';

/** The custom claims that name the plan. The Stripe extension for Firebase calls it `stripeRole`. */
const PLAN_CLAIMS = ['plan', 'stripeRole'] as const;

type Claims = Record<string, unknown>;

/**
 * Syncs the custom claims of a user with the plan in the customer's document: set for a paid plan, removed for the free
 * one. Claims of other programs stay.
 *
 * Firebase Auth takes no part in Firestore's transactions. So the plan is read again after the claims are written, and the
 * claims are written again if it has changed: the last of several concurrent calls has read the latest plan. If the process
 * dies in between, the repeated event or the reconciliation completes the work.
 *
 * If the claims of other programs leave no room, the user gets no claims of the plan and the log gets an error; a retry
 * would not help.
 *
 * @param plan slug of the plan in the customer's document a moment ago
 * @returns false if the user does not exist
 * @throws Refusal `auth_unavailable` if Firebase Auth does not answer
 */
export async function syncClaims(backend: Backend, uid: string, plan: string): Promise<boolean> {
  const { plans } = backend.config;
  const free = freePlan(plans).slug;
  let written = plan;
  for (;;) {
    const outcome = await writeClaims(backend.auth, uid, written === free ? undefined : written);
    if (outcome !== 'written') return outcome === 'unchanged';
    const stored = planOfSlug(plans, (await backend.db.customers.get(uid))?.plan).slug;
    if (stored === written) return true;
    written = stored;
  }
}

/** Whether the custom claims of a user name this plan. */
export function hasClaimsOfPlan({ customClaims }: UserRecord, { plans }: Config, plan: string): boolean {
  return namesPlan(customClaims ?? {}, plan === freePlan(plans).slug ? undefined : plan);
}

/** @param plan undefined for the free plan, which has no claims */
async function writeClaims(
  auth: Auth,
  uid: string,
  plan: string | undefined,
): Promise<'written' | 'unchanged' | 'no_user'> {
  try {
    const { customClaims: claims = {} } = await auth.getUser(uid);
    if (namesPlan(claims, plan)) return 'unchanged';
    const others = Object.fromEntries(Object.entries(claims).filter(([name]) => !isPlanClaim(name)));
    const own = plan === undefined ? {} : Object.fromEntries(PLAN_CLAIMS.map((name) => [name, plan]));
    await setIfTheyFit(auth, uid, others, own);
    return 'written';
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return 'no_user';
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

/** Removes the claims of the plan if they do not fit, so that no claim names a plan that has ended. */
async function setIfTheyFit(auth: Auth, uid: string, others: Claims, own: Claims): Promise<void> {
  try {
    await auth.setCustomUserClaims(uid, { ...others, ...own });
  } catch (error) {
    if (!hasCode(error, CLAIMS_TOO_LARGE)) throw error;
    logFault('Claims are too large for a plan', { uid }, error);
    await auth.setCustomUserClaims(uid, others);
  }
}

function namesPlan(claims: Claims, plan: string | undefined): boolean {
  return PLAN_CLAIMS.every((name) => claims[name] === plan);
}

function isPlanClaim(name: string): boolean {
  return PLAN_CLAIMS.some((claim) => claim === name);
}
