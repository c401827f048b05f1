import type { Auth, UserRecord } from 'firebase-admin/auth';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import { refusal } from '../refusals/refusals.ts';

/** Codes for a bad token, or for a user who cannot sign in. */
const TOKEN_ERRORS = [
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/invalid-id-token',
  'auth/invalid-uid',
  'auth/user-disabled',
  USER_NOT_FOUND,
];

/**
 * Calls Firebase Auth about a token or its user.
 *
 * @throws Refusal `credentials_invalid` for a bad token or user; `auth_unavailable` for every other error
 */
export async function withAuthRefusals<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (hasCode(error, ...TOKEN_ERRORS)) throw refusal('credentials_invalid', {}, { cause: error });
    throw refusal('auth_unavailable', {}, { cause: error });
  }
}

/**
 * The account of a user. Unlike `getUser`, a missing account is no error.
 *
 * @throws Refusal `auth_unavailable` if Firebase Auth does not answer
 */
export async function findAccount(
  auth: Pick<Auth, 'getUsers'>,
  uid: string,
): Promise<UserRecord | undefined> {
  const { users } = await auth.getUsers([{ uid }]).catch((cause: unknown) => {
    throw refusal('auth_unavailable', {}, { cause });
  });
  return users[0];
}
