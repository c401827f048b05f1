import type {
  CollectionReference,
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Timestamp,
  Transaction,
} from 'firebase-admin/firestore';
import { collectionOf } from '../documents.ts';
import type { Role } from './roles.ts';

/** `teams/{teamId}` */
export interface Team {
  name: string;
  ownerId: string;
  /** Members that the team's plan allows. */
  seatLimit: number;
  plan: string;
  createdAt: Timestamp;
}

/** `teams/{teamId}/members/{uid}`: the uid is the document's id, so that nobody can be in a team twice. */
export interface Member {
  /** Repeated here because a collection group query cannot filter by a part of the path. */
  uid: string;
  role: Role;
  email: string | null;
  displayName: string | null;
  joinedAt: Timestamp;
}

/** What is written: the Admin SDK stores a Date as a Timestamp. */
type Writable<Document> = {
  [Key in keyof Document]: Document[Key] extends Timestamp ? Date : Document[Key];
};

export function teamRef(firestore: Firestore, teamId: string): DocumentReference<Team> {
  return collectionOf<Team>(firestore, 'teams').doc(teamId);
}

export function membersRef(firestore: Firestore, teamId: string): CollectionReference<Member> {
  return collectionOf<Member>(firestore, `teams/${teamId}/members`);
}

export function memberRef(firestore: Firestore, teamId: string, uid: string): DocumentReference<Member> {
  return membersRef(firestore, teamId).doc(uid);
}

export function newTeamRef(firestore: Firestore): DocumentReference<Team> {
  return collectionOf<Team>(firestore, 'teams').doc();
}

/** Creates a team with its first member in one commit. */
export async function createTeam(
  firestore: Firestore,
  team: Writable<Team>,
  owner: Writable<Member>,
): Promise<string> {
  const ref = newTeamRef(firestore);
  const batch = firestore.batch();
  batch.create(firestore.doc(ref.path), team);
  batch.create(firestore.doc(`${ref.path}/members/${owner.uid}`), owner);
  await batch.commit();
  return ref.id;
}

/** Adds a member inside a transaction, which fails if they are one already. */
export function addMember(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  member: Writable<Member>,
): void {
  transaction.create(firestore.doc(`teams/${teamId}/members/${member.uid}`), member);
}

/** The memberships of a user with their teams, oldest first. Reads one document for each membership and one for each team. */
export async function teamsOf(
  firestore: Firestore,
  uid: string,
): Promise<{ id: string; team: Team; role: Role }[]> {
  const memberships = await firestore.collectionGroup('members').where('uid', '==', uid).get();
  const members = memberships.docs.flatMap((document) => {
    const parent = document.ref.parent.parent;
    return parent === null ? [] : [{ parent, member: document.data() as Member }];
  });
  if (members.length === 0) return [];
  const teams = await firestore.getAll(...members.map(({ parent }) => parent));
  return members
    .flatMap(({ member }, index) => {
      const snapshot = teams[index] as DocumentSnapshot<Team> | undefined;
      const team = snapshot?.data();
      return snapshot === undefined || team === undefined ? [] : [{ id: snapshot.id, team, member }];
    })
    .sort((a, b) => a.member.joinedAt.toMillis() - b.member.joinedAt.toMillis())
    .map(({ id, team, member }) => ({ id, team, role: member.role }));
}
