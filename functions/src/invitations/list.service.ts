import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Page, PageOf } from '../firestore/page.ts';
import type { Backend } from '../backend.ts';
import { authorizeLegacy, directly } from '../teams/authorize.ts';
import type { ListedStatus } from './invitation.ts';
import { readInvitationsOfTeam, readOpenInvitationsFor } from './invitation.store.ts';
import { listedViewOf, ownViewOf, type ListedInvitation, type OwnInvitation } from './invitation.view.ts';

export async function listInvitations(
  backend: Backend,
  caller: Caller,
  teamId: string,
  status: ListedStatus,
  page: Page,
): Promise<PageOf<ListedInvitation>> {
  const firestore = await backend.firestore();
  await authorizeLegacy(directly, firestore, caller, teamId, 'invitation:list');
  const now = backend.now();
  return readInvitationsOfTeam(firestore, { teamId, status, now }, page, (id, invitation) =>
    listedViewOf(now, id, invitation),
  );
}

/**
 * What the caller can accept.
 *
 * @throws Refusal 403 without a verified e-mail address, which anybody could have claimed
 */
export async function listOwnInvitations(
  backend: Backend,
  { email, emailVerified }: Caller,
  page: Page,
): Promise<PageOf<OwnInvitation>> {
  const { config } = backend;
  if (email === undefined || !emailVerified) {
    throw refuse('email_unverified', { act: 'see your invitations' });
  }
  const firestore = await backend.firestore();
  return readOpenInvitationsFor(firestore, { email, now: backend.now() }, page, (id, invitation) =>
    ownViewOf(config, id, invitation),
  );
}
