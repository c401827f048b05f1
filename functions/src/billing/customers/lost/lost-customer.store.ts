import { findAccount } from '../../../auth/ask-auth.ts';
import type { Backend } from '../../../backend.ts';
import type { Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import { isBeingDeleted } from '../../../teams/team.ts';
import { initialCustomer, nextCreationKey } from '../../customer-rules.ts';
import { ownedPlansOfPurchases } from './owned-plans.store.ts';

/**
 * Makes the document of a customer whose granted plan ends, and whose document is gone. Creates nothing: the calling
 * function creates the document if it must change the plan.
 *
 * The plan is that of the team, or of the claims of the user. The next checkout searches for the Stripe customer.
 *
 * @returns undefined if there is neither a user nor a team
 */
export async function customerWithoutDocument(
  backend: Pick<Backend, 'auth' | 'now'>,
  tx: Tx,
  customerId: string,
): Promise<CustomerDocument | undefined> {
  const team = await tx.teams.get(customerId);
  if (team !== undefined && isBeingDeleted(team)) return undefined;
  const subject = team ? { type: 'team' as const, plan: team.plan } : await findUser(backend, customerId);
  if (subject === undefined) return undefined;
  const { type, plan } = subject;
  return {
    ...initialCustomer({ type, email: null, name: null }, backend.now()),
    ...nextCreationKey(),
    ...(plan !== undefined && { plan }),
    ...(await ownedPlansOfPurchases(tx, customerId)),
  };
}

async function findUser(
  { auth }: Pick<Backend, 'auth'>,
  uid: string,
): Promise<{ type: 'user'; plan: string | undefined } | undefined> {
  const user = await findAccount(auth, uid);
  const plan: unknown = user?.customClaims?.['plan'];
  return user && { type: 'user', plan: typeof plan === 'string' ? plan : undefined };
}
