import type { UserRecord } from 'firebase-admin/auth';

/** The fields of an account in Firebase Auth that decide what its user may do, at one moment. */
export interface UserState {
  readonly uid: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | undefined;
  readonly displayName: string | undefined;
  readonly photoURL: string | undefined;
  readonly disabled: boolean;
  /** Sign-ins before this time have been revoked. */
  readonly tokensValidAfterTime: string | undefined;
  readonly customClaims: Readonly<Record<string, unknown>>;
  readonly providerData: readonly { readonly providerId: string; readonly uid: string }[];
}

/**
 * Copies the fields of an account. The record may also hold the hash of the password, which must not stay in memory.
 */
export function userStateOf(user: UserRecord): UserState {
  return {
    uid: user.uid,
    email: user.email,
    emailVerified: user.emailVerified,
    phoneNumber: user.phoneNumber,
    displayName: user.displayName,
    photoURL: user.photoURL,
    disabled: user.disabled,
    tokensValidAfterTime: user.tokensValidAfterTime ?? undefined,
    customClaims: user.customClaims ?? {},
    providerData: user.providerData.map(({ providerId, uid }) => ({ providerId, uid })),
  };
}

/**
 * True if a sign-in has been revoked. Revocation has a precision of one second.
 * https://firebase.google.com/docs/auth/admin/manage-sessions
 */
export function isRevoked(
  signedInAt: Date,
  { tokensValidAfterTime }: Pick<UserState, 'tokensValidAfterTime'>,
): boolean {
  return tokensValidAfterTime !== undefined && signedInAt.getTime() < Date.parse(tokensValidAfterTime);
}
