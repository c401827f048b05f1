import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import {
  collection,
  collectionGroup,
  doc,
  getCountFromServer,
  limit,
  orderBy,
  query,
  where,
} from 'firebase/firestore';
import { hearth } from '../backend/hearth.ts';
import { startFirestore, useLiveDocument, useLiveQuery } from '../backend/live.ts';
import { useRequest, valueOf, type Live } from '../backend/source.ts';
import {
  invitationSchema,
  isMembership,
  memberSchema,
  membershipSchema,
  teamSchema,
  type InvitationDocument,
  type MemberDocument,
  type Membership,
  type TeamDocument,
} from './documents.ts';
import { useInvitationPages } from './find-invitations.ts';
import { useMemberPages } from './find-members.ts';

/** More than a choice shows well. */
const MOST_LISTED = 200;

/** The teams of a user, in the order in which they joined. */
export function useMemberships(uid: string): Live<Membership[]> {
  return useLiveQuery(
    `memberships ${uid}`,
    (firestore) => query(collectionGroup(firestore, 'members'), where('uid', '==', uid), orderBy('joinedAt')),
    membershipSchema,
    isMembership,
  );
}

export function useTeam(teamId: string | undefined): Live<TeamDocument | undefined> {
  const key = teamId === undefined ? undefined : `team ${teamId}`;
  return useLiveDocument(key, (firestore) => doc(firestore, 'teams', teamId ?? ''), teamSchema);
}

/**
 * The members of a team for a choice among them, in the order in which they joined. Listens to nothing without a team.
 */
export function useMembers(teamId: string | undefined): Live<MemberDocument[]> {
  return useLiveQuery(
    teamId === undefined ? undefined : `members ${teamId}`,
    (firestore) =>
      query(collection(firestore, 'teams', teamId ?? '', 'members'), orderBy('joinedAt'), limit(MOST_LISTED)),
    memberSchema,
  );
}

/** Two owners of a team, which is enough to know whether there is only one. */
export function useOwners(teamId: string): Live<MemberDocument[]> {
  return useLiveQuery(
    `owners ${teamId}`,
    (firestore) =>
      query(
        collection(firestore, 'teams', teamId, 'members'),
        where('role', '==', 'owner'),
        orderBy('joinedAt'),
        limit(2),
      ),
    memberSchema,
  );
}

/** The members of a team among the given users. Firestore's limit is 30 uids. */
export function usePeople(teamId: string, uids: readonly string[]): Live<MemberDocument[]> {
  const wanted = [...new Set(uids)].sort();
  return useLiveQuery(
    wanted.length === 0 ? undefined : `people ${teamId} ${wanted.join(' ')}`,
    (firestore) => query(collection(firestore, 'teams', teamId, 'members'), where('uid', 'in', wanted)),
    memberSchema,
  );
}

/** An invitation as its recipient sees it. */
export type OwnInvitation = Pick<InvitationDocument, 'id' | 'teamName' | 'role' | 'expiresAt'>;

/**
 * The pending invitations of a verified address, expired or not.
 *
 * @param isImpersonated whether an operator sees the service as the user. The rules refuse the query then, because the
 *   address is not that of the token. The backend answers, and the list is not live.
 */
export function useOwnInvitations(email: string | undefined, isImpersonated: boolean): Live<OwnInvitation[]> {
  const listened = useListenedInvitations(isImpersonated ? undefined : email);
  const requested = useRequest(
    email === undefined || !isImpersonated ? undefined : `requested invitations to ${email}`,
    requestInvitations,
  );
  return isImpersonated ? requested : listened;
}

async function requestInvitations(signal: AbortSignal): Promise<OwnInvitation[]> {
  const { items } = await hearth.invitations.mine({ signal });
  return items.map(({ expiresAt, ...rest }) => ({ ...rest, expiresAt: new Date(expiresAt) }));
}

function useListenedInvitations(email: string | undefined): Live<InvitationDocument[]> {
  return useLiveQuery(
    email === undefined ? undefined : `invitations to ${email}`,
    (firestore) =>
      query(
        collection(firestore, 'invitations'),
        where('email', '==', email),
        where('status', '==', 'pending'),
        orderBy('expiresAt', 'desc'),
        limit(MOST_LISTED),
      ),
    invitationSchema,
  );
}

/** The request for the number of members. Sent again after a removal. */
export const memberCountKey = (teamId: string): string => `number of members ${teamId}`;

/** The number of members of a team. A small team is counted by its list, which is live; a large one by Firestore. */
export function useMemberCount(teamId: string): number | undefined {
  const { items, hasMore } = useMemberPages(teamId);
  const counted = useRequest(hasMore ? memberCountKey(teamId) : undefined, async () => {
    const firestore = await startFirestore();
    return (await getCountFromServer(collection(firestore, 'teams', teamId, 'members'))).data().count;
  });
  return hasMore ? valueOf(counted) : valueOf(items)?.length;
}

/** The number of open invitations, in the same way. Only owners and admins may read them. */
function useOpenInvitationCount(teamId: string, mayRead: boolean): number | undefined {
  const { items, hasMore } = useInvitationPages(mayRead ? teamId : undefined, 'pending');
  const counted = useRequest(hasMore ? `number of invitations ${teamId}` : undefined, async () => {
    const open = query(
      collection(await startFirestore(), 'invitations'),
      where('teamId', '==', teamId),
      where('status', '==', 'pending'),
      where('expiresAt', '>', new Date()),
    );
    return (await getCountFromServer(open)).data().count;
  });
  if (!mayRead) return 0;
  return hasMore ? valueOf(counted) : valueOf(items)?.filter(isOpen).length;
}

const isOpen = ({ expiresAt }: InvitationDocument) => expiresAt > new Date();

/** A team with the data that its pages show, and the role of the visitor. */
export interface TeamView {
  team: TeamDocument;
  uid: string;
  role: Role;
  /** Members and open invitations, as far as the visitor may read them. Undefined until they are counted. */
  seats: number | undefined;
}

/** A team, kept up to date. The value is undefined if there is no such team. */
export function useTeamView(teamId: string, uid: string, role: Role): Live<TeamView | undefined> {
  const shown = useTeam(teamId);
  const members = useMemberCount(teamId);
  const invitations = useOpenInvitationCount(teamId, can(role, 'invitation:list'));
  if (shown.state !== 'ready') return shown;
  const team = shown.value;
  if (team === undefined) return { state: 'ready', value: undefined };
  const seats = members === undefined || invitations === undefined ? undefined : members + invitations;
  return { state: 'ready', value: { team, uid, role, seats } };
}
