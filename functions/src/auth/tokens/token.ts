import * as z from 'zod';

/** An ID token is valid for an hour, and a session cookie for days. */
export type TokenKind = 'id-token' | 'session-cookie';

/** The longest uid that Firebase Auth allows. */
const MAX_UID_LENGTH = 128;

const uidSchema = z.string().min(1).max(MAX_UID_LENGTH);

/** https://firebase.google.com/docs/auth/admin/verify-id-tokens */
const payloadSchema = z.object({
  sub: uidSchema,
  /** Seconds, as in all times of a token. */
  iat: z.int(),
  auth_time: z.int(),
  email: z.unknown().optional(),
  email_verified: z.unknown().optional(),
  phone_number: z.unknown().optional(),
  /** Present if the operator signed in by a custom token of `startImpersonation`, to impersonate a user. */
  impersonation: z.object({ uid: uidSchema, until: z.int(), startedBy: z.string().optional() }).optional(),
  firebase: z.object({
    sign_in_provider: z.string(),
    identities: z.record(z.string(), z.unknown()).optional(),
    tenant: z.string().optional(),
  }),
});

/**
 * The user whom an operator impersonates. This user becomes the caller. The token and the session stay the operator's.
 */
export interface TokenImpersonation {
  readonly targetUid: string;
  readonly endsAt: Date;
  /** The person at the command line who began the impersonation in the name of the operator. */
  readonly startedBy?: string | undefined;
}

export interface Token {
  /** The user of the token. For an impersonation this is the operator. */
  readonly uid: string;
  readonly issuedAt: Date;
  readonly signedInAt: Date;
  /** Firebase's name of the sign-in method, such as `password` or `google.com`. */
  readonly signInMethod: string;
  /** The user's ids at the provider of this method, at the time of the sign-in. */
  readonly providerUids: readonly string[];
  /**
   * True if the account had an address that was not verified, and no phone number, when the token was issued. Only for
   * limits: the rights of a user follow from the current state.
   */
  readonly hasOnlyUnverifiedAddress: boolean;
  /** The tenant of Identity Platform; undefined for users of the project itself. */
  readonly tenant: string | undefined;
  readonly impersonates: TokenImpersonation | undefined;
}

/** Reads the payload of a token; undefined if it does not have the form that Google documents. */
export function tokenOf(payload: unknown): Token | undefined {
  const { data } = payloadSchema.safeParse(payload);
  if (data === undefined) return undefined;
  const { sign_in_provider: signInMethod, identities, tenant } = data.firebase;
  const { impersonation, email, email_verified: emailVerified, phone_number: phoneNumber } = data;
  const uids = identities?.[signInMethod];
  return {
    uid: data.sub,
    issuedAt: new Date(data.iat * 1000),
    signedInAt: new Date(data.auth_time * 1000),
    signInMethod,
    providerUids: Array.isArray(uids) ? uids.map(String) : [],
    hasOnlyUnverifiedAddress: email !== undefined && emailVerified !== true && phoneNumber === undefined,
    tenant,
    impersonates: impersonation && {
      targetUid: impersonation.uid,
      endsAt: new Date(impersonation.until * 1000),
      startedBy: impersonation.startedBy,
    },
  };
}
