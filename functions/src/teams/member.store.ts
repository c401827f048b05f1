import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Query,
  Timestamp,
  Transaction,
} from 'firebase-admin/firestore';
import { collectionOf, groupOf, type Writable } from '../firestore/documents.ts';
import type { Role } from './roles.ts';

/** `teams/{teamId}/members/{uid}`: the uid is the document's id, so that nobody can be in a team twice. */
export interface Member {
  /** Repeated here because a collection group query cannot filter by a part of the path. */
  uid: string;
  role: Role;
  email: string | null;
  displayName: string | null;
  joinedAt: Timestamp;
}

export function membersRef(firestore: Firestore, teamId: string): CollectionReference<Member> {
  return collectionOf<Member>(firestore, `teams/${teamId}/members`);
}

export function memberRef(firestore: Firestore, teamId: string, uid: string): DocumentReference<Member> {
  return membersRef(firestore, teamId).doc(uid);
}

export function ownersOf(firestore: Firestore, teamId: string): Query<Member> {
  return membersRef(firestore, teamId).where('role', '==', 'owner' satisfies Role);
}

/** Who has been a member in this role for the longest time. */
export function seniorMember(firestore: Firestore, teamId: string, role: Role): Query<Member> {
  return membersRef(firestore, teamId).where('role', '==', role).orderBy('joinedAt').limit(1);
}

/** Everybody's memberships in all teams. */
export function membershipsOf(firestore: Firestore, uid: string): Query<Member> {
  return groupOf<Member>(firestore, 'members').where('uid', '==', uid);
}

/** Adds a member inside a transaction, whose commit fails with ALREADY_EXISTS if they are one already. */
export function addMember(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  member: Writable<Member>,
): void {
  transaction.create(firestore.doc(memberRef(firestore, teamId, member.uid).path), member);
}
