import type {
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  Timestamp,
  Transaction,
} from 'firebase-admin/firestore';
import type { Config } from '../settings/config.ts';
import { collectionOf, type Writable } from '../firestore/documents.ts';
import { refuse } from '../refusals.ts';
import { readPageLegacy, type Page, type PageOf } from '../firestore/page.ts';
import { memberRef, membershipsOf, type Member } from './member.store.ts';
import type { Role } from './roles.ts';

/** `teams/{teamId}` */
export interface Team {
  name: string;
  /** Names the team in addresses; kept unique by `teamSlugs/{slug}`. */
  slug: string;
  /** The uid of the owner who answers for the team: who made it or whom it was handed over to. Always one of its owners. */
  ownerId: string;
  /** Members that the team's plan allows. */
  seatLimit: number;
  plan: string;
  /** Whether a subscription binds the team; missing until the first one. */
  subscribed?: boolean;
  /** Whether one of them is billed for each member, so that Stripe has to know how many there are. */
  seatsBilled?: boolean;
  createdAt: Timestamp;
  /** The open or expired offer of the team to a member; missing or null without one. */
  transfer?: TransferOffer | null;
  /** Written by the first step of a deletion, before anything is removed. */
  deletingSince?: Timestamp;
}

/** An offer to make a member an owner, which waits for the member's answer. */
export interface TransferOffer {
  /** The uid of the owner who offers. */
  from: string;
  /** The uid of the member who may accept. */
  to: string;
  /** False when `to` takes the place of `from`; true when both are owners afterwards. */
  coOwner: boolean;
  offeredAt: Timestamp;
  expiresAt: Timestamp;
}

export function isOfferExpired({ expiresAt }: TransferOffer, now: Date): boolean {
  return expiresAt.toMillis() <= now.getTime();
}

export function saveOffer(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  offer: Writable<TransferOffer>,
): void {
  transaction.update(firestore.doc(`teams/${teamId}`), { transfer: offer });
}

export function closeOffer(transaction: Transaction, firestore: Firestore, teamId: string): void {
  transaction.update(teamRef(firestore, teamId), { transfer: null });
}

export function teamRef(firestore: Firestore, teamId: string): DocumentReference<Team> {
  return collectionOf<Team>(firestore, 'teams').doc(teamId);
}

export function newTeamId(firestore: Firestore): string {
  return firestore.collection('teams').doc().id;
}

/** The teams that a user answers for. */
export function teamsOwnedBy(firestore: Firestore, uid: string): Query<Team> {
  return collectionOf<Team>(firestore, 'teams').where('ownerId', '==', uid);
}

/**
 * The query stays locked until the commit, so that of two teams at once the second is counted with the first.
 *
 * @throws Refusal 403 for one team too many
 */
export async function assertBelowTeamLimit(
  transaction: Transaction,
  firestore: Firestore,
  { teamLimit }: Pick<Config, 'teamLimit'>,
  uid: string,
): Promise<void> {
  const owned = await transaction.get(teamsOwnedBy(firestore, uid).count());
  if (owned.data().count >= teamLimit) {
    throw refuse('team_limit', { limit: teamLimit });
  }
}

/** Teams whose deletion began before that, the oldest first. */
export function teamsInDeletion(firestore: Firestore, before: Date): Query<Team> {
  const teams = collectionOf<Team>(firestore, 'teams');
  return teams.where('deletingSince', '<=', before).orderBy('deletingSince');
}

export function createTeam(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  team: Writable<Team>,
): void {
  transaction.create(firestore.doc(`teams/${teamId}`), team);
  claimSlug(transaction, firestore, team.slug, teamId);
}

export async function isSlugTaken(
  transaction: Transaction,
  firestore: Firestore,
  slug: string,
): Promise<boolean> {
  return (await transaction.get(slugRef(firestore, slug))).exists;
}

/** Reserves a slug that was free when the transaction read it. */
export function claimSlug(
  transaction: Transaction,
  firestore: Firestore,
  slug: string,
  teamId: string,
): void {
  transaction.create(slugRef(firestore, slug), { teamId });
}

export function releaseSlug(transaction: Transaction, firestore: Firestore, slug: string): void {
  transaction.delete(slugRef(firestore, slug));
}

export interface TeamOfUser {
  id: string;
  team: Team;
  role: Role;
}

/** The memberships of a user with their teams, oldest first. Reads one document for each membership and one for each team. */
export async function teamsOf(firestore: Firestore, uid: string): Promise<TeamOfUser[]> {
  const { docs } = await membershipsOf(firestore, uid).get();
  const memberships = docs.map((document) => ({
    teamId: teamIdOf(document.ref),
    member: document.data(),
  }));
  memberships.sort((a, b) => a.member.joinedAt.toMillis() - b.member.joinedAt.toMillis());
  return withTeams(firestore, memberships);
}

/** One page of what `teamsOf` tells. A team that is being deleted is left out, which makes its page shorter. */
export async function readTeamsOf(
  firestore: Firestore,
  uid: string,
  page: Page,
): Promise<PageOf<TeamOfUser>> {
  const { items, nextCursor } = await readPageLegacy(
    membershipsOf(firestore, uid),
    page,
    {
      by: 'joinedAt',
      direction: 'asc',
      idOf: teamIdOf,
      nameOf: (teamId) => memberRef(firestore, teamId, uid).path,
    },
    (teamId, member) => ({ teamId, member }),
  );
  return { items: await withTeams(firestore, items), nextCursor };
}

async function withTeams(
  firestore: Firestore,
  memberships: readonly { teamId: string; member: Member }[],
): Promise<TeamOfUser[]> {
  const roles = new Map(memberships.map(({ teamId, member }) => [teamId, member.role]));
  const teams = await teamsById(firestore, [...roles.keys()]);
  return teams.flatMap(({ id, team }) => {
    const role = roles.get(id);
    return role === undefined || isBeingDeleted(team) ? [] : [{ id, team, role }];
  });
}

/** Those of the teams that there are, in the order of their ids. Reads one document for each. */
export async function teamsById(
  firestore: Firestore,
  ids: readonly string[],
): Promise<{ id: string; team: Team }[]> {
  if (ids.length === 0) return [];
  const refs = ids.map((id) => teamRef(firestore, id));
  const found = (await firestore.getAll(...refs)) as DocumentSnapshot<Team>[];
  return found.flatMap((snapshot) => {
    const team = snapshot.data();
    return team === undefined ? [] : [{ id: snapshot.id, team }];
  });
}

export function markAsDeleting(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  now: Date,
): void {
  transaction.update(firestore.doc(`teams/${teamId}`), { deletingSince: now });
}

/** Removes the team itself, with what was made together with it. */
export function deleteTeam(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  { slug }: Pick<Team, 'slug'>,
): void {
  transaction.delete(teamRef(firestore, teamId));
  releaseSlug(transaction, firestore, slug);
}

export function isBeingDeleted(team: Team): boolean {
  return team.deletingSince !== undefined;
}

/** Of the path `teams/{teamId}/members/{uid}`. */
export function teamIdOf(member: DocumentReference): string {
  return member.parent.parent?.id ?? '';
}

function slugRef(firestore: Firestore, slug: string): DocumentReference {
  return firestore.doc(`teamSlugs/${slug}`);
}
