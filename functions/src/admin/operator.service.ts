import type { UserRecord } from 'firebase-admin/auth';
import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import type { Tx } from '../firestore/db.ts';
import type { AuditAction } from '../firestore/documents/audit-entry.ts';
import { hasRefusalCode, Refusal, refusal } from '../refusals/refusals.ts';

/** The person who acts: the uid of a user with the claim `admin`, or `cli:` with a name for the command line. */
export interface Operator {
  readonly id: string;
}

/** The operator behind a request. The route has `operatorsOnly`, so the caller has the claim `admin`. */
export function operatorOf({ uid }: Pick<Caller, 'uid'>): Operator {
  return { id: uid };
}

/** An action of an operator, for the audit log. */
export interface OperatorAction {
  action: Extract<AuditAction, `admin.${string}`>;
  /** The uid of the user, or the id of the team, invitation, upload or subscription; for usage a time. */
  target: string;
  /** The team that the action concerns; its admins see the entry. */
  teamId?: string | undefined;
  details?: Record<string, string | null>;
}

/** Records an action in the transaction that carries it out. An entry about no team has an empty `teamId`. */
export function recordActionIn(tx: Tx, operator: Operator, now: Date, entry: OperatorAction): void {
  const { teamId = '', ...rest } = entry;
  tx.audit.record({ ...rest, teamId, actorId: operator.id, at: now });
}

/**
 * Records an action of Firebase Auth or Stripe before it begins. Therefore every such action has an entry, but an entry
 * may describe an action that failed.
 */
export async function recordAction(
  { db, now }: Backend,
  operator: Operator,
  entry: OperatorAction,
): Promise<void> {
  await db.run((tx) => {
    recordActionIn(tx, operator, now(), entry);
    return Promise.resolve();
  });
}

/** Records a change that an operator makes while impersonating a user, with the uids of operator and user. */
export async function recordImpersonated(
  backend: Backend,
  { uid, impersonatedBy }: Caller,
  request: string,
): Promise<void> {
  if (impersonatedBy === undefined) return;
  const { operatorId, startedBy } = impersonatedBy;
  const details = { request, ...(startedBy !== undefined && { startedBy }) };
  await recordAction(
    backend,
    { id: operatorId },
    { action: 'admin.impersonated_request', target: uid, details },
  );
}

/** @throws Refusal `user_not_found` */
export async function requireAccount({ auth }: Pick<Backend, 'auth'>, uid: string): Promise<UserRecord> {
  return withAuthRefusalsForOperator(() => auth.getUser(uid));
}

/**
 * Calls Firebase Auth about a user whom an operator named.
 *
 * @throws Refusal `user_not_found`; `auth_unavailable` for every other error that is no refusal
 */
export async function withAuthRefusalsForOperator<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    // The user was deleted meanwhile. The operator is signed in.
    if (hasRefusalCode(error, 'unauthenticated')) throw refusal('user_not_found');
    if (error instanceof Refusal) throw error;
    if (hasCode(error, USER_NOT_FOUND, 'auth/invalid-uid')) throw refusal('user_not_found');
    throw refusal('auth_unavailable', {}, { cause: error });
  }
}

/** The account with an address, if any. No account for a text that Firebase Auth does not take for an address. */
export function findAccounts({ auth }: Pick<Backend, 'auth'>, email: string): Promise<UserRecord[]> {
  return withAuthRefusalsForOperator(async () => {
    try {
      return (await auth.getUsers([{ email }])).users;
    } catch (error) {
      if (hasCode(error, 'auth/invalid-email')) return [];
      throw error;
    }
  });
}
