import type {
  CollectionReference,
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  Timestamp,
} from 'firebase-admin/firestore';
import type { Caller } from '../auth/caller.ts';
import { collectionOf, groupOf } from '../firestore/documents.ts';
import { assertAllowed } from './authorize.ts';
import type { Action, Role } from './roles.ts';

/* The old forms of this room's functions, for callers that have not moved to the unit of work. */

interface Member {
  uid: string;
  role: Role;
  email: string | null;
  displayName: string | null;
  joinedAt: Timestamp;
}

interface Team {
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

function membersRef(firestore: Firestore, teamId: string): CollectionReference<Member> {
  return collectionOf<Member>(firestore, `teams/${teamId}/members`);
}

function memberRef(firestore: Firestore, teamId: string, uid: string): DocumentReference<Member> {
  return membersRef(firestore, teamId).doc(uid);
}

export function membershipsOfLegacy(firestore: Firestore, uid: string): Query<Member> {
  return groupOf<Member>(firestore, 'members').where('uid', '==', uid);
}

export function teamRef(firestore: Firestore, teamId: string): DocumentReference<Team> {
  return collectionOf<Team>(firestore, 'teams').doc(teamId);
}

export function teamIdOf(member: DocumentReference): string {
  return member.parent.parent?.id ?? '';
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
