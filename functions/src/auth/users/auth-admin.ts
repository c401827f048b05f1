import type { Auth } from 'firebase-admin/auth';
import { addCost } from '../../common/costs.ts';
import { traced, type SpanDescription } from '../../common/span.ts';

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
 * A call that changes a user also removes the user's cached state, even if the call fails, because the change may have
 * arrived.
 *
 * @param load loads Firebase Auth. It runs before each call, so it must keep its result
 */
export function authAdmin(load: () => Promise<Auth>, evict: (uid: string) => void): AuthAdmin {
  const call = async <Result>(
    method: keyof AuthAdmin,
    act: (auth: Auth) => Promise<Result>,
  ): Promise<Result> => {
    addCost('auth');
    return traced(
      () => describeCall(method),
      async () => act(await load()),
    );
  };
  const change = async <Result>(
    method: keyof AuthAdmin,
    uid: string,
    act: (auth: Auth) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await call(method, act);
    } finally {
      evict(uid);
    }
  };
  return {
    getUser: (uid) => call('getUser', (auth) => auth.getUser(uid)),
    getUsers: (identifiers) => call('getUsers', (auth) => auth.getUsers(identifiers)),
    createSessionCookie: (idToken, options) =>
      call('createSessionCookie', (auth) => auth.createSessionCookie(idToken, options)),
    generateEmailVerificationLink: (email) =>
      call('generateEmailVerificationLink', (auth) => auth.generateEmailVerificationLink(email)),
    generatePasswordResetLink: (email) =>
      call('generatePasswordResetLink', (auth) => auth.generatePasswordResetLink(email)),
    createCustomToken: (uid, claims) =>
      call('createCustomToken', (auth) => auth.createCustomToken(uid, claims)),
    updateUser: (uid, properties) => change('updateUser', uid, (auth) => auth.updateUser(uid, properties)),
    deleteUser: (uid) => change('deleteUser', uid, (auth) => auth.deleteUser(uid)),
    revokeRefreshTokens: (uid) => change('revokeRefreshTokens', uid, (auth) => auth.revokeRefreshTokens(uid)),
    setCustomUserClaims: (uid, claims) =>
      change('setCustomUserClaims', uid, (auth) => auth.setCustomUserClaims(uid, claims)),
  };
}

/** Names only the method, because its arguments have personal data. */
function describeCall(method: string): SpanDescription {
  return {
    name: `auth ${method}`,
    kind: 'client',
    attributes: { 'gcp.client.service': 'identitytoolkit', 'rpc.method': method },
  };
}
