import type { UserRecord } from 'firebase-admin/auth';
import type { Backend } from '../../backend.ts';
import { hasCode, USER_NOT_FOUND } from '../../common/error-code.ts';

/** Asks Firebase Auth for an account. Undefined if it is deleted or disabled. */
export async function findActiveUser(
  { auth }: Pick<Backend, 'auth'>,
  uid: string,
): Promise<UserRecord | undefined> {
  try {
    const user = await auth.getUser(uid);
    return user.disabled ? undefined : user;
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return undefined;
    throw error;
  }
}
