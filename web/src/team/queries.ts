import { collection, collectionGroup, doc, limit, orderBy, query, where } from 'firebase/firestore';
import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { useLiveDocument, useLiveQuery } from '../backend/live.ts';
import { valueOf, type Live } from '../backend/source.ts';
import {
  auditSchema,
  invitationSchema,
  memberSchema,
  membershipSchema,
  teamSchema,
  type AuditDocument,
  type InvitationDocument,
  type MemberDocument,
  type Membership,
  type TeamDocument,
} from './documents.ts';

/** More than a page shows well; larger teams are managed through the API. */
const MOST_LISTED = 200;
const MOST_ENTRIES = 15;

/** The teams of a user, in the order in which they joined. */
export function useMemberships(uid: string): Live<Membership[]> {
  return useLiveQuery(
    `memberships ${uid}`,
    (firestore) => query(collectionGroup(firestore, 'members'), where('uid', '==', uid), orderBy('joinedAt')),
    membershipSchema,
  );
}

export function useTeam(teamId: string | undefined): Live<TeamDocument | undefined> {
  const key = teamId === undefined ? undefined : `team ${teamId}`;
  return useLiveDocument(key, (firestore) => doc(firestore, 'teams', teamId ?? ''), teamSchema);
}

/** The members of a team, in the order in which they joined. Listens to nothing without a team. */
export function useMembers(teamId: string | undefined): Live<MemberDocument[]> {
  return useLiveQuery(
    teamId === undefined ? undefined : `members ${teamId}`,
    (firestore) =>
      query(collection(firestore, 'teams', teamId ?? '', 'members'), orderBy('joinedAt'), limit(MOST_LISTED)),
    memberSchema,
  );
}

/** The open and the expired invitations of a team; for its owners and admins. */
function usePendingInvitations(teamId: string, mayRead: boolean): Live<InvitationDocument[]> {
  return usePendingWhere('teamId', mayRead ? teamId : undefined);
}

/** The pending invitations of a verified address, expired or not. */
export function useOwnInvitations(email: string | undefined): Live<InvitationDocument[]> {
  return usePendingWhere('email', email);
}

function usePendingWhere(field: 'teamId' | 'email', value: string | undefined): Live<InvitationDocument[]> {
  return useLiveQuery(
    value === undefined ? undefined : `invitations ${field} ${value}`,
    (firestore) =>
      query(
        collection(firestore, 'invitations'),
        where(field, '==', value),
        where('status', '==', 'pending'),
        orderBy('expiresAt', 'desc'),
        limit(MOST_LISTED),
      ),
    invitationSchema,
  );
}

/** The latest entries of a team's audit log; for its owners and admins. */
export function useAuditLog(teamId: string, mayRead: boolean): Live<AuditDocument[]> {
  return useLiveQuery(
    mayRead ? `audit ${teamId}` : undefined,
    (firestore) =>
      query(
        collection(firestore, 'auditLog'),
        where('teamId', '==', teamId),
        orderBy('at', 'desc'),
        limit(MOST_ENTRIES),
      ),
    auditSchema,
  );
}

/** A team with what its pages show, and the role of the visitor. */
export interface TeamView {
  team: TeamDocument;
  uid: string;
  role: Role;
  members: Live<MemberDocument[]>;
  invitations: Live<InvitationDocument[]>;
  /** Members and open invitations. */
  seats: number;
}

/** Everything of one team, kept up to date. The value is undefined if there is no such team. */
export function useTeamView(teamId: string, uid: string, role: Role): Live<TeamView | undefined> {
  const shown = useTeam(teamId);
  const members = useMembers(teamId);
  const invitations = usePendingInvitations(teamId, can(role, 'invitation:list'));
  if (shown.state !== 'ready') return shown;
  const team = shown.value;
  if (team === undefined) return { state: 'ready', value: undefined };
  const open = (valueOf(invitations) ?? []).filter(({ expiresAt }) => expiresAt > new Date());
  const seats = (valueOf(members) ?? []).length + open.length;
  return { state: 'ready', value: { team, uid, role, members, invitations, seats } };
}
