import type { Auth } from 'firebase-admin/auth';
import { addUsage } from '../../common/usage.ts';

/** The methods of Firebase Auth that the backend calls. */
export type AuthAdmin = Pick<
  Auth,
  | 'getUser'
  | 'getUsers'
  | 'createSessionCookie'
  | 'createCustomToken'
  | 'updateUser'
  | 'deleteUser'
  | 'revokeRefreshTokens'
  | 'setCustomUserClaims'
  | 'generateEmailVerificationLink'
  | 'generatePasswordResetLink'
>;

/**
 * Firebase Auth, loaded with the first call. A call that changes a user also removes the user's cached state, even if the call
 * fails, because it may have arrived.
 */
export function authAdmin(load: () => Promise<Auth>, forget: (uid: string) => void): AuthAdmin {
  const call = async <Result>(act: (auth: Auth) => Promise<Result>): Promise<Result> => {
    addUsage('auth');
    return act(await load());
  };
  const change = async <Result>(uid: string, act: (auth: Auth) => Promise<Result>): Promise<Result> => {
    try {
      return await call(act);
    } finally {
      forget(uid);
    }
  };
  return {
    getUser: (uid) => call((auth) => auth.getUser(uid)),
    getUsers: (identifiers) => call((auth) => auth.getUsers(identifiers)),
    createSessionCookie: (idToken, options) => call((auth) => auth.createSessionCookie(idToken, options)),
    generateEmailVerificationLink: (email) => call((auth) => auth.generateEmailVerificationLink(email)),
    generatePasswordResetLink: (email) => call((auth) => auth.generatePasswordResetLink(email)),
    createCustomToken: (uid, claims) => call((auth) => auth.createCustomToken(uid, claims)),
    updateUser: (uid, properties) => change(uid, (auth) => auth.updateUser(uid, properties)),
    deleteUser: (uid) => change(uid, (auth) => auth.deleteUser(uid)),
    revokeRefreshTokens: (uid) => change(uid, (auth) => auth.revokeRefreshTokens(uid)),
    setCustomUserClaims: (uid, claims) => change(uid, (auth) => auth.setCustomUserClaims(uid, claims)),
  };
}
