import { can } from '@hearth/shared/roles';
import type { UserRecord } from 'firebase-admin/auth';
import type { Backend } from '../../../backend.ts';
import { cleanTeamName } from '../../../common/name.ts';
import { nameAndPictureOf } from '../../../common/user-profile.ts';
import { isDocumentId } from '../../../firestore/document-id.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import { isBeingDeleted } from '../../../teams/team.ts';

/** The address and name that a Stripe customer should have. Stripe sends invoices and receipts to the address. */
export type Contact = Pick<CustomerDocument, 'email' | 'name'>;

interface PayingTeam {
  team: Team;
  /** Uid of the user who gets the invoices, if the team has no billing address. */
  invoiceUid: string;
}

const MAX_USERS_PER_CALL = 100;

/**
 * The contacts that customers should have now. A user has their own address and name. A team has its own name, and the
 * first of these addresses that applies:
 *
 * 1. the billing address;
 * 2. the address of the first buyer, if the first buyer may still manage the billing of the team;
 * 3. the address of the responsible owner.
 *
 * If the address of the user, the first buyer or the responsible owner is not verified:
 *
 * - A user keeps the former address.
 * - A team keeps the former address if the unverified address is the same. Otherwise the team gets no address.
 *
 * Reads two documents for a team, or one if the responsible owner is the first buyer. Calls Firebase Auth once for
 * every 100 users.
 *
 * @param customers by their ids
 * @returns the contacts by the ids of the customers. Leaves out users and teams that do not exist, and teams that are
 *   being deleted
 */
export async function readContacts(
  backend: Backend,
  customers: ReadonlyMap<string, CustomerDocument>,
): Promise<Map<string, Contact>> {
  const teams = await readTeams(backend, customers);
  const userIds = [...customers].filter(([, { type }]) => type === 'user').map(([id]) => id);
  const invoiceUids = [...teams.values()].map(({ invoiceUid }) => invoiceUid);
  const users = await lookUp(backend, [...userIds, ...invoiceUids]);
  const contacts = new Map<string, Contact>();
  for (const [id, customer] of customers) {
    const [user, paying] = [users.get(id), teams.get(id)];
    if (paying) contacts.set(id, contactOfTeam(paying, users.get(paying.invoiceUid), customer));
    else if (customer.type === 'user' && user) contacts.set(id, contactOfUser(user, customer));
  }
  return contacts;
}

export function isSameContact(customer: Contact, { email, name }: Contact): boolean {
  return customer.email === email && customer.name === name;
}

async function readTeams(
  { db }: Backend,
  customers: ReadonlyMap<string, CustomerDocument>,
): Promise<Map<string, PayingTeam>> {
  const ids = [...customers].filter(([, { type }]) => type === 'team').map(([id]) => id);
  const teams = await db.teams.getAllIntact(ids);
  const paying = [...teams].map(async ([id, team]): Promise<[string, PayingTeam][]> => {
    if (isBeingDeleted(team)) return [];
    const buyerIds = buyersOf(customers.get(id));
    const [buyer] = (await db.members(id).getAllIntact(buyerIds)).values();
    const getsInvoices = buyer !== undefined && can(buyer.role, 'billing:manage');
    return [[id, { team, invoiceUid: getsInvoices ? buyer.uid : team.ownerId }]];
  });
  return new Map((await Promise.all(paying)).flat());
}

/**
 * The uid of the first buyer. Empty if the responsible owner is the first buyer. If no first buyer is stored, the buyer
 * of the stored checkout counts.
 */
function buyersOf(customer: CustomerDocument | undefined): string[] {
  const { firstBuyerId, checkout } = customer ?? {};
  const inCheckout = checkout?.buyerId === checkout?.ownerId ? null : checkout?.buyerId;
  const uid = firstBuyerId === undefined ? inCheckout : firstBuyerId;
  return isDocumentId(uid) ? [uid] : [];
}

async function lookUp({ auth }: Backend, uids: readonly string[]): Promise<Map<string, UserRecord>> {
  const found = new Map<string, UserRecord>();
  const unique = [...new Set(uids)];
  for (let start = 0; start < unique.length; start += MAX_USERS_PER_CALL) {
    const { users } = await auth.getUsers(
      unique.slice(start, start + MAX_USERS_PER_CALL).map((uid) => ({ uid })),
    );
    for (const user of users) found.set(user.uid, user);
  }
  return found;
}

function contactOfUser(user: UserRecord, { email: current }: Contact): Contact {
  const email = user.email?.toLowerCase() ?? null;
  return {
    email: email === null || user.emailVerified ? email : current,
    name: nameAndPictureOf(user).displayName ?? null,
  };
}

function contactOfTeam(
  { team }: PayingTeam,
  user: UserRecord | undefined,
  { email: current }: Contact,
): Contact {
  const own = user?.email?.toLowerCase() ?? null;
  const ofMember = user?.emailVerified === true || own === current ? own : null;
  return { email: team.billingEmail ?? ofMember, name: cleanTeamName(team.name) };
}
