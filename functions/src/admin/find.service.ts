import type { UserRecord } from 'firebase-admin/auth';
import type { Backend } from '../backend.ts';
import { findByStripeCustomer } from '../billing/customers/customer.store.ts';
import { withStripeRefusals, isMissing } from '../billing/stripe/stripe-errors.ts';
import { idOf } from '../billing/stripe/stripe-ids.ts';
import { DamagedDocument } from '../firestore/damage.ts';
import { isDocumentId } from '../firestore/document-id.ts';
import type { Team } from '../firestore/documents/team.ts';
import type { FoundUsersAndTeams, FoundTeam, FoundUser } from './admin.view.ts';
import { withAuthRefusalsForOperator, findAccounts } from './operator.service.ts';

/** Longest uid that Firebase Auth allows. */
const MAX_UID = 128;

/**
 * Finds users and teams by an e-mail address, a uid, the id or slug of a team, or the id of a customer or subscription
 * at Stripe. The text must match completely. Reads at most three documents. Calls Firebase Auth and Stripe at most once
 * each.
 */
export async function findUsersAndTeams(backend: Backend, text: string): Promise<FoundUsersAndTeams> {
  const wanted = text.trim();
  const stripeCustomer = await stripeCustomerOf(backend, wanted);
  if (stripeCustomer !== undefined) {
    const found = await findByStripeCustomer(backend.db, stripeCustomer);
    return found === undefined ? NOTHING : findByIds(backend, found.id);
  }
  if (!wanted.includes('@')) return findByIds(backend, wanted);
  const users = await findAccounts(backend, wanted.toLowerCase());
  return { users: users.map(foundUserOf), teams: [] };
}

const NOTHING: FoundUsersAndTeams = { users: [], teams: [] };

/** @returns undefined for a text that is no id of Stripe, or if Stripe does not know it */
async function stripeCustomerOf({ stripe }: Backend, text: string): Promise<string | undefined> {
  if (text.startsWith('cus_')) return text;
  if (!text.startsWith('sub_')) return undefined;
  const { subscriptions } = await stripe();
  try {
    return idOf((await withStripeRefusals(() => subscriptions.retrieve(text))).customer);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function findByIds(backend: Backend, id: string): Promise<FoundUsersAndTeams> {
  const [users, teams] = await Promise.all([usersOf(backend, id), findTeams(backend, id)]);
  return { users, teams };
}

async function usersOf({ auth }: Backend, uid: string): Promise<FoundUser[]> {
  if (uid === '' || uid.length > MAX_UID) return [];
  const { users } = await withAuthRefusalsForOperator(() => auth.getUsers([{ uid }]));
  return users.map(foundUserOf);
}

async function findTeams({ db }: Backend, idOrSlug: string): Promise<FoundTeam[]> {
  if (!isDocumentId(idOrSlug)) return [];
  const slug = await db.teamSlugs.getIntact(idOrSlug);
  const teams = await db.teams.getWithDamaged([slug?.teamId ?? idOrSlug]);
  return [...teams].map(([id, team]) => foundTeamOf(id, team));
}

/** An operator can delete a damaged team, so it is found, with its id as its name. */
function foundTeamOf(id: string, team: Team | DamagedDocument): FoundTeam {
  if (team instanceof DamagedDocument) return { id, name: id, slug: '', ownerId: '', plan: '' };
  const { name, slug, ownerId, plan } = team;
  return { id, name, slug, ownerId, plan };
}

export function foundUserOf({ uid, email, displayName, disabled, customClaims }: UserRecord): FoundUser {
  return {
    uid,
    email: email ?? null,
    displayName: displayName ?? null,
    disabled,
    isOperator: customClaims?.['admin'] === true,
  };
}
