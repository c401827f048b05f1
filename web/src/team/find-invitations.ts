import type { InvitationStatus } from '@hearth/shared/documents/invitation';
import { collection, documentId, orderBy, query, where } from 'firebase/firestore';
import { usePages, type Paged } from '../backend/pages.ts';
import { invitationSchema, type InvitationDocument } from './documents.ts';

/** The end of the range of texts that begin with a text. */
const LAST_CHARACTER = '\uf8ff';

/**
 * The invitations of a team, latest expiry first, by pages; for its owners and admins.
 *
 * @param teamId undefined listens to nothing
 */
export function useInvitationPages(
  teamId: string | undefined,
  status: InvitationStatus,
): Paged<InvitationDocument> {
  return usePages({
    key: teamId === undefined ? undefined : `invitations ${teamId} ${status}`,
    from: (firestore) =>
      query(
        collection(firestore, 'invitations'),
        where('teamId', '==', teamId),
        where('status', '==', status),
        orderBy('expiresAt', 'desc'),
        orderBy(documentId(), 'desc'),
      ),
    schema: invitationSchema,
    cursorOf: ({ expiresAt, id }) => [expiresAt, id],
  });
}

/** The invitations to addresses that begin with a text, sorted by address. Without a text all of them. */
export function useFoundInvitations(
  teamId: string,
  text: string,
  status: InvitationStatus,
): Paged<InvitationDocument> {
  const isSearch = text !== '';
  const prefix = text.toLowerCase();
  const all = useInvitationPages(isSearch ? undefined : teamId, status);
  const found = usePages({
    key: isSearch ? `invitations ${teamId} ${status} ${prefix}` : undefined,
    from: (firestore) =>
      query(
        collection(firestore, 'invitations'),
        where('teamId', '==', teamId),
        where('status', '==', status),
        where('email', '>=', prefix),
        where('email', '<', prefix + LAST_CHARACTER),
        orderBy('email'),
        orderBy(documentId()),
      ),
    schema: invitationSchema,
    cursorOf: ({ email, id }) => [email, id],
  });
  return isSearch ? found : all;
}
