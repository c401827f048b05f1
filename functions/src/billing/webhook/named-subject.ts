import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { type SubjectKey, SUBJECT_METADATA } from '../subject.ts';

export interface NamedSubject extends SubjectKey {
  /** The uid of the user, or of the responsible owner of the team. */
  ownerId: string;
  /** True if the metadata name the user or team. A browser cannot write metadata. */
  isTrusted: boolean;
}

/** Finds the user or team in the metadata of a checkout, or in `client_reference_id`, which a browser can choose. */
export async function findNamedSubject(
  backend: Backend,
  { metadata, client_reference_id: reference }: Stripe.Checkout.Session,
): Promise<NamedSubject | undefined> {
  const teamId = metadata?.[SUBJECT_METADATA.team];
  if (teamId !== undefined) return findTeam(backend, teamId, true);
  const uid = metadata?.[SUBJECT_METADATA.user];
  if (uid !== undefined) return findUser(backend, uid, true);
  if (reference === null) return undefined;
  return (await findUser(backend, reference, false)) ?? findTeam(backend, reference, false);
}

async function findUser(
  { auth }: Backend,
  uid: string,
  isTrusted: boolean,
): Promise<NamedSubject | undefined> {
  if (!isDocumentId(uid)) return undefined;
  const { users } = await auth.getUsers([{ uid }]);
  return users.length === 0 ? undefined : { type: 'user', customerId: uid, ownerId: uid, isTrusted };
}

async function findTeam(
  { db }: Backend,
  teamId: string,
  isTrusted: boolean,
): Promise<NamedSubject | undefined> {
  const team = isDocumentId(teamId) ? await db.teams.get(teamId) : undefined;
  if (team === undefined || isBeingDeleted(team)) return undefined;
  return { type: 'team', customerId: teamId, ownerId: team.ownerId, isTrusted };
}

/**
 * True if the Stripe customer of a checkout may be linked to the named user or team. A linked user or team sees the
 * payer's address, card and invoices in the portal. Therefore a `client_reference_id` alone is not enough: the payer's
 * address must also be the verified address of the user or the responsible owner.
 */
export async function isLinkAllowed(
  { auth }: Backend,
  { ownerId, isTrusted }: NamedSubject,
  { customer_details: payer }: Stripe.Checkout.Session,
): Promise<boolean> {
  if (isTrusted) return true;
  const [user] = (await auth.getUsers([{ uid: ownerId }])).users;
  const address = payer?.email?.toLowerCase();
  return user?.emailVerified === true && address !== undefined && user.email?.toLowerCase() === address;
}
