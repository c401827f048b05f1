import { profileOf } from '../common/user-profile.ts';
import type { Token } from './tokens/token.ts';
import type { UserState } from './users/user-state.ts';

/** The user in whose name a request is made, with the state of their account in Firebase Auth. */
export interface Caller {
  readonly uid: string;
  /** Lower case; undefined for accounts without e-mail. */
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | undefined;
  /** Cleaned by `profileOf`. */
  readonly displayName: string | undefined;
  readonly photoURL: string | undefined;
  /** True for a request with the token of an anonymous account, which has no address, password or provider. */
  readonly isAnonymous: boolean;
  /**
   * Slug of the best plan of the user's own subscriptions, one-time purchases and granted plans; undefined on the free
   * plan.
   */
  readonly plan: string | undefined;
  /** The units of add-ons of the user's own subscriptions, by their slugs. */
  readonly addOns: Readonly<Record<string, number>>;
  /** Entitlements besides those of the plan and the add-ons. */
  readonly entitlements: readonly string[];
  /** True for an operator: a user with the custom claim `admin`. */
  readonly isOperator: boolean;
  /** The operator who makes the request as this user; undefined if the user makes it. */
  readonly impersonatedBy: Impersonation | undefined;
  /** When the user signed in. For an impersonated caller 1970, so that the sign-in never counts as recent. */
  readonly signedInAt: Date;
}

/**
 * Whether somebody has a verified e-mail address or a phone number. Firebase Auth stores only verified phone numbers.
 */
export function hasVerifiedContact({
  emailVerified,
  phoneNumber,
}: {
  readonly emailVerified: boolean;
  readonly phoneNumber?: string | undefined;
}): boolean {
  return emailVerified || phoneNumber !== undefined;
}

/** The caller's address if it is verified; null otherwise. */
export function verifiedEmailOf({
  email,
  emailVerified,
}: Pick<Caller, 'email' | 'emailVerified'>): string | null {
  return emailVerified && email !== undefined ? email : null;
}

export interface Impersonation {
  readonly operatorId: string;
  readonly endsAt: Date;
  /** The person at the command line who began the impersonation in the name of the operator. */
  readonly startedBy?: string | undefined;
}

export function callerFrom(token: Pick<Token, 'signInMethod' | 'signedInAt'>, user: UserState): Caller {
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
    isOperator: isOperator(user),
    impersonatedBy: undefined,
    signedInAt: token.signedInAt,
  };
}

/** Makes the caller for a user who makes no request: an operator acts for this user. */
export function callerOfAccount(user: UserState, now: Date): Caller {
  return callerFrom({ signInMethod: 'admin', signedInAt: now }, user);
}

/**
 * Makes the caller for a user whom an operator impersonates. This caller has no recent sign-in, and is never an
 * operator.
 */
export function impersonatedCaller(user: UserState, impersonatedBy: Impersonation): Caller {
  const caller = callerFrom({ signInMethod: 'custom', signedInAt: new Date(0) }, user);
  return { ...caller, isOperator: false, impersonatedBy };
}

/** Only the command line sets this custom claim. */
export function isOperator({ customClaims }: Pick<UserState, 'customClaims'>): boolean {
  return customClaims['admin'] === true;
}

/** Billing syncs this custom claim with the plan that the user has. */
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
