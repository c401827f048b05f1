import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { readPage, type PageRequest, type PageOf } from '../firestore/page.ts';
import { refusal } from '../refusals/refusals.ts';
import { authorize } from '../teams/authorize.store.ts';
import {
  invitationsOfTeam,
  invitationsTo,
  LATEST_EXPIRY_FIRST,
  onlyOpen,
  withListedStatus,
} from './invitation.store.ts';
import type { ListedStatus } from './invitation.ts';
import {
  listedViewOf,
  receivedViewOf,
  type ListedInvitation,
  type ReceivedInvitation,
} from './invitation.view.ts';

/**
 * Lists the invitations of a team that have the requested status, latest expiry first.
 *
 * @throws Refusal as `authorize`
 */
export async function listInvitations(
  { db, now }: Backend,
  caller: Caller,
  teamId: string,
  { status, ...page }: PageRequest & { status: ListedStatus },
): Promise<PageOf<ListedInvitation>> {
  await authorize(db, caller, teamId, 'invitation:list');
  const at = now();
  const query = withListedStatus(invitationsOfTeam(db, teamId), status, at);
  return readPage(query, page, LATEST_EXPIRY_FIRST, ({ id, data }) => listedViewOf(at, id, data));
}

/**
 * Lists the open invitations to the caller, in all teams, latest expiry first.
 *
 * @throws Refusal `recipient_unverified`: anybody could have registered the address
 */
export async function listReceivedInvitations(
  { config, db, now }: Backend,
  { email, emailVerified }: Caller,
  page: PageRequest,
): Promise<PageOf<ReceivedInvitation>> {
  if (email === undefined || !emailVerified) {
    throw refusal('recipient_unverified');
  }
  const query = onlyOpen(invitationsTo(db, email), now());
  return readPage(query, page, LATEST_EXPIRY_FIRST, ({ id, data }) => receivedViewOf(config, id, data));
}
