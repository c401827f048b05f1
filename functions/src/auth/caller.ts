import type { DecodedIdToken, UserRecord } from 'firebase-admin/auth';
import { profileOf } from '../common/user-profile.ts';

/** The user who makes a request, with the current state of their account in Firebase Auth. */
export interface Caller {
  readonly uid: string;
  /** Lower case; undefined for accounts without e-mail. */
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | undefined;
  /** Cleaned by `profileOf`. */
  readonly displayName: string | undefined;
  readonly photoURL: string | undefined;
  /** True for an anonymous account, which has no address, password or provider. */
  readonly isAnonymous: boolean;
  /** Slug of the plan that the user's own subscriptions pay for; undefined on the free plan. */
  readonly plan: string | undefined;
  /** Entitlements besides those of the plan. */
  readonly entitlements: readonly string[];
  /** Time of the last sign-in. A session lasts for days after it. */
  readonly signedInAt: Date;
}

export function callerFrom({ token, user }: { token: DecodedIdToken; user: UserRecord }): Caller {
  return {
    uid: user.uid,
    email: user.email?.toLowerCase(),
    emailVerified: user.emailVerified,
    phoneNumber: user.phoneNumber,
    ...profileOf(user),
    isAnonymous: token.firebase.sign_in_provider === 'anonymous',
    plan: planClaimOf(user),
    entitlements: entitlementsClaimOf(user),
    signedInAt: new Date(token.auth_time * 1000),
  };
}

/** Billing keeps this custom claim in line with the user's subscriptions. */
function planClaimOf({ customClaims }: UserRecord): string | undefined {
  const plan: unknown = customClaims?.['plan'];
  return typeof plan === 'string' ? plan : undefined;
}

function entitlementsClaimOf({ customClaims }: UserRecord): string[] {
  const names: unknown = customClaims?.['entitlements'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
