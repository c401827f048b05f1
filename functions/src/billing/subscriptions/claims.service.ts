import type { Auth, UserRecord } from 'firebase-admin/auth';
import type { Config } from '../../settings/config.ts';
import { CLAIMS_TOO_LARGE, hasCode, USER_NOT_FOUND } from '../../common/error-code.ts';
import { refuse } from '../../refusals.ts';
import { logFault } from '../../common/log.ts';
import { freePlan } from '../../settings/plans.ts';
import type { Backend } from '../../backend.ts';
import { customerRef } from '../customers/customer.store.ts';

/** `stripeRole` is what the Stripe extension for Firebase calls it. */
const PLAN_CLAIMS = ['plan', 'stripeRole'] as const;

type Claims = Record<string, unknown>;

/**
 * Brings the custom claims of a user in line with the plan that the mirror gives: set for a paid plan, gone for the free
 * one. Claims of others stay.
 *
 * Firebase Auth is not in Firestore's transactions. So whoever writes the claims looks at the mirror afterwards, and goes
 * on until both agree: of several at once, whoever writes last has seen the last mirror. Who dies in between is made up
 * for by the event, which comes again, or by the reconciliation.
 *
 * Where the claims of others leave no room, the user has none of the plan, and the log an error: to try it again would not
 * help.
 *
 * @param plan that the mirror gave a moment ago
 * @returns false for a user who is gone
 * @throws Refusal 503 when Firebase Auth does not answer
 */
export async function syncClaims(backend: Backend, uid: string, plan: string): Promise<boolean> {
  const { config } = backend;
  const firestore = await backend.firestore();
  const free = freePlan(config.plans).slug;
  let wanted = plan;
  for (;;) {
    const outcome = await writeClaims(backend.auth, uid, wanted === free ? undefined : wanted);
    if (outcome !== 'written') return outcome === 'agreed';
    const mirrored = (await customerRef(firestore, uid).get()).data()?.plan ?? free;
    if (mirrored === wanted) return true;
    wanted = mirrored;
  }
}

/** Whether the claims of a user say what the mirror does. */
export function claimsAgree({ customClaims }: UserRecord, config: Config, plan: string): boolean {
  return agree(customClaims ?? {}, plan === freePlan(config.plans).slug ? undefined : plan);
}

async function writeClaims(
  auth: Auth,
  uid: string,
  plan: string | undefined,
): Promise<'written' | 'agreed' | 'gone'> {
  try {
    const { customClaims: claims = {} } = await auth.getUser(uid);
    if (agree(claims, plan)) return 'agreed';
    const others = Object.fromEntries(Object.entries(claims).filter(([name]) => !isPlanClaim(name)));
    const own = plan === undefined ? {} : Object.fromEntries(PLAN_CLAIMS.map((name) => [name, plan]));
    await setIfThereIsRoom(auth, uid, others, own);
    return 'written';
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return 'gone';
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

/** Better none of the plan than one that is not paid for any more. */
async function setIfThereIsRoom(auth: Auth, uid: string, others: Claims, own: Claims): Promise<void> {
  try {
    await auth.setCustomUserClaims(uid, { ...others, ...own });
  } catch (error) {
    if (!hasCode(error, CLAIMS_TOO_LARGE)) throw error;
    logFault('Claims are too large for a plan', { uid }, error);
    await auth.setCustomUserClaims(uid, others);
  }
}

function agree(claims: Claims, plan: string | undefined): boolean {
  return PLAN_CLAIMS.every((name) => claims[name] === plan);
}

function isPlanClaim(name: string): boolean {
  return PLAN_CLAIMS.some((claim) => claim === name);
}
