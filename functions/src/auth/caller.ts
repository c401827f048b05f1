import { profileOf } from '../common/user-profile.ts';
import type { Token } from './tokens/token.ts';
import type { UserState } from './users/user-state.ts';

/** The user who makes a request, with the state of their account in Firebase Auth. */
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
  /** The units of add-ons that the user's own subscriptions give, by the slugs. */
  readonly addOns: Readonly<Record<string, number>>;
  /** Entitlements besides those of the plan and the add-ons. */
  readonly entitlements: readonly string[];
  /** Time of the last sign-in. A session lasts for days after it. */
  readonly signedInAt: Date;
}

export function callerFrom(token: Token, user: UserState): Caller {
  return {
    uid: user.uid,
    email: user.email?.toLowerCase(),
    emailVerified: user.emailVerified,
    phoneNumber: user.phoneNumber,
    ...profileOf(user),
    isAnonymous: token.signInMethod === 'anonymous',
    plan: planClaimOf(user),
    addOns: addOnsClaimOf(user),
    entitlements: entitlementsClaimOf(user),
    signedInAt: token.signedInAt,
  };
}

/** Billing keeps this custom claim in line with the user's subscriptions. */
function planClaimOf({ customClaims }: UserState): string | undefined {
  const plan: unknown = customClaims['plan'];
  return typeof plan === 'string' ? plan : undefined;
}

function addOnsClaimOf({ customClaims }: UserState): Record<string, number> {
  const addOns: unknown = customClaims['addOns'];
  if (typeof addOns !== 'object' || addOns === null) return {};
  return Object.fromEntries(Object.entries(addOns).filter((entry) => typeof entry[1] === 'number'));
}

function entitlementsClaimOf({ customClaims }: UserState): string[] {
  const names: unknown = customClaims['entitlements'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
