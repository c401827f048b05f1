import * as z from 'zod';
import type { Backend } from '../../backend.ts';
import { refusal } from '../../refusals/refusals.ts';
import {
  recordAction,
  requireAccount,
  withAuthRefusalsForOperator,
  type Operator,
} from '../operator.service.ts';

const MAX_MINUTES = 60;

/** The fields of a request, for the route and the command line. */
export const impersonationRequestSchema = z
  .strictObject({
    reason: z.string().trim().min(3).max(500),
    minutes: z.int().min(1).max(MAX_MINUTES).default(30),
  })
  .meta({ id: 'ImpersonationRequest' });

export interface ImpersonationRequest extends z.output<typeof impersonationRequestSchema> {
  /** The user whom the operator wants to see the service as. */
  uid: string;
  /** The person at the command line who asks in the name of the operator, for the audit log. */
  startedBy?: string;
}

/**
 * Makes a custom token with which an operator sees the service as a user. The token belongs to the operator's own
 * account at Firebase Auth and only names the user. Therefore it cannot change the user's password, address or sign-in
 * methods. Requests with the token can read, and can write through a route with `impersonation: 'allowed'`. No such
 * route pays or deletes.
 *
 * @param operator a user with the claim `admin`
 * @throws Refusal `user_not_found`, `admin_not_impersonated`
 */
export async function startImpersonation(
  backend: Backend,
  operator: Operator,
  { uid, reason, minutes, startedBy }: ImpersonationRequest,
): Promise<{ token: string; endsAt: string }> {
  const { customClaims } = await requireAccount(backend, uid);
  if (customClaims?.['admin'] === true) throw refusal('admin_not_impersonated');
  const until = Math.floor(backend.now().getTime() / 1000) + Math.min(minutes, MAX_MINUTES) * 60;
  const endsAt = new Date(until * 1000).toISOString();
  const starter = startedBy === undefined ? {} : { startedBy };
  await recordAction(backend, operator, {
    action: 'admin.impersonation_started',
    target: uid,
    details: { reason, endsAt, ...starter },
  });
  const token = await withAuthRefusalsForOperator(() =>
    backend.auth.createCustomToken(operator.id, { impersonation: { uid, until, ...starter } }),
  );
  return { token, endsAt };
}
