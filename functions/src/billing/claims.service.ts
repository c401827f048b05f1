import type { Auth, UserRecord } from 'firebase-admin/auth';
import type { Config } from '../config.ts';
import { hasCode, USER_NOT_FOUND } from '../error-code.ts';
import { unavailable } from '../http/errors.ts';
import { freePlan } from '../plans.ts';
import type { Services } from '../services.ts';
import { customerRef } from './customer.store.ts';

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
 * @param plan that the mirror gave a moment ago
 * @returns false for a user who is gone
 * @throws HttpError 503 when Firebase Auth does not answer
 */
export async function syncClaims(
  services: Services,
  config: Config,
  uid: string,
  plan: string,
): Promise<boolean> {
  const firestore = await services.firestore();
  const free = freePlan(config.plans).slug;
  let wanted = plan;
  for (;;) {
    const outcome = await writeClaims(services.auth, uid, wanted === free ? undefined : wanted);
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
    const others = Object.entries(claims).filter(([name]) => !isPlanClaim(name));
    const own = plan === undefined ? [] : PLAN_CLAIMS.map((name) => [name, plan]);
    await auth.setCustomUserClaims(uid, Object.fromEntries([...others, ...own]) as Claims);
    return 'written';
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return 'gone';
    throw unavailable('Accounts are not available right now.', 'auth_unavailable', error);
  }
}

function agree(claims: Claims, plan: string | undefined): boolean {
  return PLAN_CLAIMS.every((name) => claims[name] === plan);
}

function isPlanClaim(name: string): boolean {
  return PLAN_CLAIMS.some((claim) => claim === name);
}
