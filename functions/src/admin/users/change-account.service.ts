import { randomBytes } from 'node:crypto';
import type { UserRecord } from 'firebase-admin/auth';
import { endAllSessions } from '../../account/session.service.ts';
import { saveAccountInProfile } from '../../account/user.service.ts';
import { userAsCaller } from '../../auth/caller.ts';
import { authUserOf } from '../../auth/users/new-profile.ts';
import { userStateOf } from '../../auth/users/user-states.ts';
import type { Backend } from '../../backend.ts';
import { refusal } from '../../refusals/refusals.ts';
import {
  recordAction,
  requireAccount,
  withAuthRefusalsForOperator,
  type Operator,
} from '../operator.service.ts';

/** A missing field stays as it is. */
export interface AccountChange {
  disabled?: boolean | undefined;
  /** The address in lower case, if the person has proved in another way that it is theirs. */
  verifiedEmail?: string | undefined;
}

/**
 * Disables or enables an account, or verifies its address. A disabled user is signed out: immediately for requests that
 * write, within `USER_CACHE_SECONDS` for other requests. Idempotent: a call after a crash completes the change.
 *
 * @throws Refusal `user_not_found`, `email_differs` if the account has another address than the person has proved
 */
export async function changeAccount(
  backend: Backend,
  operator: Operator,
  uid: string,
  { disabled, verifiedEmail }: AccountChange,
): Promise<void> {
  const account = await requireAccount(backend, uid);
  if (verifiedEmail !== undefined && account.email?.toLowerCase() !== verifiedEmail)
    throw refusal('email_differs');
  const details = {
    ...(disabled !== undefined && { disabled: String(disabled) }),
    // The deletion of the account replaces `email` in entries about it.
    ...(verifiedEmail !== undefined && { emailVerified: 'true', email: verifiedEmail }),
  };
  await recordAction(backend, operator, { action: 'admin.user_changed', target: uid, details });
  await withAuthRefusalsForOperator(async () => {
    if (disabled === true) await disable(backend, account);
    if (verifiedEmail !== undefined) {
      // An earlier call may have died before it saved the profile.
      if (account.emailVerified) await saveAccountInProfile(backend, authUserOf(account));
      else await giveToOwnerOfAddress(backend, account, verifiedEmail);
    }
    if (disabled === false) await backend.auth.updateUser(uid, { disabled });
  });
}

/**
 * Ends the sessions too, so that enabling the account brings none of them back. Disables first: otherwise a thief could
 * sign in again before the account is disabled.
 */
async function disable(backend: Backend, account: UserRecord): Promise<void> {
  await backend.auth.updateUser(account.uid, { disabled: true });
  await endSessions(backend, account);
}

/**
 * Verifies the address, and leaves the account to the reader of mail to this address, as a password reset does. Before,
 * the account may belong to a stranger who has registered the address. So their password, their other sign-in methods,
 * their second factors and their sessions go first. If this function dies half-way, the address is not verified yet.
 *
 * Sets the address again, because the stranger may have changed it since `changeAccount` compared it.
 */
async function giveToOwnerOfAddress(backend: Backend, account: UserRecord, email: string): Promise<void> {
  const { auth } = backend;
  let left = account;
  // The stranger may link another sign-in method until their sessions end.
  for (let attempt = 0; attempt === 0 || hasOtherMethods(left); attempt++) {
    if (attempt === MAX_REMOVALS) throw refusal('busy');
    await removeSignInMethods(backend, left);
    await endSessions(backend, left);
    left = await auth.getUser(account.uid);
  }
  // A password that the stranger has set meanwhile goes, too.
  const verified = await auth.updateUser(account.uid, {
    password: newPassword(),
    email,
    emailVerified: true,
  });
  await saveAccountInProfile(backend, authUserOf(verified));
}

const MAX_REMOVALS = 3;

/** The password does not count, because the last update replaces it. */
const hasOtherMethods = ({ providerData }: UserRecord) =>
  providerData.some(({ providerId }) => providerId !== 'password');

async function removeSignInMethods({ auth }: Backend, account: UserRecord): Promise<void> {
  const { uid, multiFactor, providerData } = account;
  const methods = providerData.map(({ providerId }) => providerId);
  const hasSecondFactor = (multiFactor?.enrolledFactors.length ?? 0) > 0;
  await auth.updateUser(uid, {
    password: newPassword(),
    phoneNumber: null,
    providersToUnlink: methods.filter((method) => method !== 'password' && method !== 'phone'),
    ...(hasSecondFactor && { multiFactor: { enrolledFactors: null } }),
  });
}

const PASSWORD_BYTES = 32;

/** A password that nobody knows. */
const newPassword = () => randomBytes(PASSWORD_BYTES).toString('base64url');

async function endSessions(backend: Backend, account: UserRecord): Promise<void> {
  await endAllSessions(backend, userAsCaller(userStateOf(account), backend.now()));
}
