import type { Backend } from '../../backend.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { ownersOf } from '../../teams/members/member.store.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { isClosed } from '../customer.ts';

/** The most owners of a team who get a notice. */
const MAX_OWNERS = 20;

/** The people whom a notice about billing is for. */
export interface Recipients {
  /** Lower case. Empty if nobody has a verified address. */
  addresses: string[];
  /** The user, or the owners of the team, for push messages. */
  uids: string[];
  type: CustomerDocument['type'];
  /** The name of the team; undefined for a user. */
  teamName: string | undefined;
}

/**
 * The recipients of a notice about the billing of a customer. Mail goes to the user, or to the billing address of the
 * team. If the team has none, mail goes to its owners. Only verified addresses of users count. Makes at most one call
 * to Firebase Auth.
 *
 * @returns undefined for a customer that does not exist or is being deleted
 */
export async function recipientsOf(backend: Backend, customerId: string): Promise<Recipients | undefined> {
  const { config, db, now } = backend;
  const customer = (await db.customers.getIntact([customerId])).get(customerId);
  if (customer === undefined || isClosed(customer, now())) return undefined;
  if (customer.type === 'user') {
    const uids = [customerId];
    return { addresses: await verifiedAddresses(backend, uids), uids, teamName: undefined, type: 'user' };
  }
  const team = (await db.teams.getIntact([customerId])).get(customerId);
  if (team === undefined || isBeingDeleted(team)) return undefined;
  const { billingEmail, name: teamName } = team;
  if (billingEmail !== undefined && !config.pushMessages) {
    return { addresses: [billingEmail], uids: [], teamName, type: 'team' };
  }
  const uids = (await ownersOf(db, customerId).limit(MAX_OWNERS).findPlaces()).map(({ id }) => id);
  const addresses = billingEmail === undefined ? await verifiedAddresses(backend, uids) : [billingEmail];
  return { addresses, uids, teamName, type: 'team' };
}

async function verifiedAddresses({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  const { users } = await auth.getUsers(uids.map((uid) => ({ uid })));
  const addresses = users
    .filter(({ emailVerified }) => emailVerified)
    .map(({ email }) => email?.toLowerCase());
  return [...new Set(addresses.filter((address) => address !== undefined))].sort();
}
