import type { Auth } from 'firebase-admin/auth';

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
  const change = async <Result>(uid: string, act: (auth: Auth) => Promise<Result>): Promise<Result> => {
    try {
      return await act(await load());
    } finally {
      forget(uid);
    }
  };
  return {
    getUser: async (uid) => (await load()).getUser(uid),
    getUsers: async (identifiers) => (await load()).getUsers(identifiers),
    createSessionCookie: async (idToken, options) => (await load()).createSessionCookie(idToken, options),
    generateEmailVerificationLink: async (email) => (await load()).generateEmailVerificationLink(email),
    generatePasswordResetLink: async (email) => (await load()).generatePasswordResetLink(email),
    createCustomToken: async (uid, claims) => (await load()).createCustomToken(uid, claims),
    updateUser: (uid, properties) => change(uid, (auth) => auth.updateUser(uid, properties)),
    deleteUser: (uid) => change(uid, (auth) => auth.deleteUser(uid)),
    revokeRefreshTokens: (uid) => change(uid, (auth) => auth.revokeRefreshTokens(uid)),
    setCustomUserClaims: (uid, claims) => change(uid, (auth) => auth.setCustomUserClaims(uid, claims)),
  };
}
