import type {
  CollectionReference,
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  Timestamp,
  Transaction,
} from 'firebase-admin/firestore';
import type { Caller } from '../auth/caller.ts';
import { collectionOf, groupOf, type Writable } from '../firestore/documents.ts';
import { assertAllowed } from './authorize.ts';
import type { Action, Role } from './roles.ts';

/* The old forms of this room's functions, for callers that have not moved to the unit of work. */

export interface Member {
  uid: string;
  role: Role;
  email: string | null;
  displayName: string | null;
  joinedAt: Timestamp;
}

export interface Team {
  name: string;
  slug: string;
  ownerId: string;
  seatLimit: number;
  plan: string;
  subscribed?: boolean;
  seatsBilled?: boolean;
  createdAt: Timestamp;
  deletingSince?: Timestamp;
}

export function membersRef(firestore: Firestore, teamId: string): CollectionReference<Member> {
  return collectionOf<Member>(firestore, `teams/${teamId}/members`);
}

export function memberRef(firestore: Firestore, teamId: string, uid: string): DocumentReference<Member> {
  return membersRef(firestore, teamId).doc(uid);
}

export function membershipsOfLegacy(firestore: Firestore, uid: string): Query<Member> {
  return groupOf<Member>(firestore, 'members').where('uid', '==', uid);
}

export function addMember(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  member: Writable<Member>,
): void {
  transaction.create(firestore.doc(memberRef(firestore, teamId, member.uid).path), member);
}

export function teamRef(firestore: Firestore, teamId: string): DocumentReference<Team> {
  return collectionOf<Team>(firestore, 'teams').doc(teamId);
}

export function teamIdOf(member: DocumentReference): string {
  return member.parent.parent?.id ?? '';
}

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

export interface Reader {
  get: <Document>(ref: DocumentReference<Document>) => Promise<DocumentSnapshot<Document>>;
}

export const directly: Reader = { get: (ref) => ref.get() };

export async function authorizeLegacy(
  reader: Reader,
  firestore: Firestore,
  { uid }: Pick<Caller, 'uid'>,
  teamId: string,
  action: Action,
): Promise<{ team: Team; member: Member }> {
  const [team, member] = await Promise.all([
    reader.get(teamRef(firestore, teamId)).then((snapshot) => snapshot.data()),
    reader.get(memberRef(firestore, teamId, uid)).then((snapshot) => snapshot.data()),
  ]);
  return assertAllowed(team, member, action);
}
