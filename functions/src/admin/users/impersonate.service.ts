import type { Backend } from '../../backend.ts';
import { refuse } from '../../refusals.ts';
import { recordAction, requireAccount, throughAuth, type Operator } from '../operator.ts';

export const MAX_IMPERSONATION_MINUTES = 60;

export interface ImpersonationRequest {
  /** The user whom the operator wants to see the service as. */
  uid: string;
  /** Why, for the audit log. */
  reason: string;
  minutes: number;
}

/**
 * Makes a custom token with which an operator sees the service as a user. The token is for the operator's own account at
 * Firebase Auth and only names the user: so it cannot change the user's password, address or sign-in methods. Requests with
 * it may read and do the little that a route allows; they pay nothing and delete nothing.
 *
 * @param operator a user with the claim `admin`
 * @throws Refusal `user_not_found`, `admin_not_impersonated`, `auth_unavailable`
 */
export async function startImpersonation(
  backend: Backend,
  operator: Operator,
  { uid, reason, minutes }: ImpersonationRequest,
): Promise<{ token: string; endsAt: string }> {
  const { customClaims } = await requireAccount(backend, uid);
  if (customClaims?.['admin'] === true) throw refuse('admin_not_impersonated');
  const lifetime = Math.min(minutes, MAX_IMPERSONATION_MINUTES) * 60_000;
  const until = Math.floor((backend.now().getTime() + lifetime) / 1000);
  const endsAt = new Date(until * 1000).toISOString();
  await recordAction(backend, operator, {
    action: 'admin.impersonation_started',
    target: uid,
    details: { reason, endsAt },
  });
  const token = await throughAuth(() =>
    backend.auth.createCustomToken(operator.id, { impersonation: { uid, until } }),
  );
  return { token, endsAt };
}
