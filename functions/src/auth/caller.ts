import type { SignIn } from './sign-in-method.ts';
import type { Token } from './tokens/token.ts';
import { authUserOf } from './users/new-profile.ts';
import type { UserState } from './users/user-states.ts';

/** The user in whose name a request is made, with the state of their account in Firebase Auth. */
export interface Caller {
  readonly uid: string;
  /** Lower case; undefined for accounts without e-mail. */
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | undefined;
  /** One line of visible text, at most 100 characters: see `cleanName`. */
  readonly displayName: string | undefined;
  readonly photoURL: string | undefined;
  readonly isAnonymous: boolean;
  /**
   * Slug of the user's highest plan, without the plans of teams; undefined on the free plan. This and the next two
   * fields are custom claims, which can be older than our copies of the subscriptions. Limits use `readHoldingOfUser`.
   */
  readonly plan: string | undefined;
  /** The units of the user's add-ons, by their slugs. */
  readonly addOns: Readonly<Record<string, number>>;
  /** Entitlements besides those of the plan and the add-ons. */
  readonly entitlements: readonly string[];
  readonly isOperator: boolean;
  /** Set if an operator impersonates the user. */
  readonly impersonatedBy: Impersonation | undefined;
  /** 1970 for an impersonated caller, so that the sign-in never counts as recent. */
  readonly signedInAt: Date;
  /** The method of the sign-in. `usesRemovedMethod` compares it with the methods of the account. */
  readonly signIn: SignIn;
}

/** Each phone number counts as verified: Firebase Auth lets a user add a number only after verifying it. */
export function hasVerifiedContact({
  emailVerified,
  phoneNumber,
}: {
  readonly emailVerified: boolean;
  readonly phoneNumber?: string | undefined;
}): boolean {
  return emailVerified || phoneNumber !== undefined;
}

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

export function callerFrom(token: SignIn & Pick<Token, 'signedInAt'>, user: UserState): Caller {
  const { signInMethod, providerUids, signedInAt } = token;
  return {
    ...authUserOf(user),
    phoneNumber: user.phoneNumber,
    isAnonymous: signInMethod === 'anonymous',
    plan: planClaimOf(user),
    addOns: addOnsClaimOf(user),
    entitlements: entitlementsClaimOf(user),
    isOperator: isOperator(user),
    impersonatedBy: undefined,
    signedInAt,
    signIn: { signInMethod, providerUids },
  };
}

/**
 * Makes the user the caller, when an operator acts for the user without an impersonation. Example: an operator deletes
 * the account of the user. Unlike in an impersonation, the sign-in counts as recent.
 */
export function userAsCaller(user: UserState, now: Date): Caller {
  return callerFrom({ signInMethod: 'admin', providerUids: [], signedInAt: now }, user);
}

export function impersonatedCaller(user: UserState, impersonatedBy: Impersonation): Caller {
  const caller = callerFrom({ signInMethod: 'custom', providerUids: [], signedInAt: new Date(0) }, user);
  return { ...caller, isOperator: false, impersonatedBy };
}

/** The command line sets this custom claim. */
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
