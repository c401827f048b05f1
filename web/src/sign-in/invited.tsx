import { HearthError, type MailedInvitation } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { useRequest, type Live } from '../backend/source.ts';
import { formatDate } from '../format.ts';
import { hasLinkSecret, isLinkParameter } from '../team/invitation-link.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/message.tsx';

/** The invitation that the visitor of the sign-in page comes from. */
export type Invited =
  | { state: 'none' }
  | { state: 'loading' }
  /** A link without an invitation. Signing in does not help. */
  | { state: 'incomplete' }
  /** A link that was shared, or whose invitation cannot be read. */
  | { state: 'unknown' }
  /** An invitation that nobody can accept any more. */
  | { state: 'closed'; reason: string; askPath: string | undefined }
  | { state: 'open'; invitation: MailedInvitation };

/** @param link the address of an invitation link that asked for a sign-in; undefined if the visitor came from elsewhere */
export function useInvited(link: URL | undefined): Invited {
  const parameter = link?.searchParams.get('invitationId') ?? '';
  const hasSecret = hasLinkSecret(parameter);
  const read = useRequest(`invitation ${hasSecret ? parameter : ''}`, (signal) =>
    hasSecret ? hearth.invitations.describe(parameter, { signal }) : Promise.resolve(undefined),
  );
  if (link === undefined) return { state: 'none' };
  if (!isLinkParameter(parameter)) return { state: 'incomplete' };
  return hasSecret ? invitedOf(read, parameter) : { state: 'unknown' };
}

function invitedOf(read: Live<MailedInvitation | undefined>, parameter: string): Invited {
  switch (read.state) {
    case 'loading':
      return { state: 'loading' };
    case 'ready':
      return read.value === undefined ? { state: 'unknown' } : { state: 'open', invitation: read.value };
    case 'failed': {
      const { error } = read;
      if (!(error instanceof HearthError) || ![404, 409, 410].includes(error.status))
        return { state: 'unknown' };
      const canAsk = error.status === 410 || error.code === 'already_rejected';
      const askPath = canAsk ? `/api/team/ask-for-invitation?invitationId=${parameter}` : undefined;
      return { state: 'closed', reason: error.message, askPath };
    }
  }
}

/** Shows who invites, to which team and as what, above the forms of the sign-in page. */
export function InvitedBy({ invited }: { invited: Invited }) {
  switch (invited.state) {
    case 'open': {
      const { teamName, role, email, inviterName, inviterEmail, expiresAt } = invited.invitation;
      return (
        <section class="notice stack-small" aria-label="Invitation">
          <p class="wrap">
            <strong>{inviterName ?? inviterEmail ?? 'Somebody'}</strong> invites you to{' '}
            <strong>{teamName}</strong> as {role}.
          </p>
          <p class="small wrap">
            {email === null ? 'One person can use this link' : `The invitation is for ${email}`}, until{' '}
            {formatDate(new Date(expiresAt))}.
          </p>
        </section>
      );
    }
    case 'unknown':
      return <Notice>You are invited to a team. Use the address that the invitation was sent to.</Notice>;
    case 'closed':
      return (
        <>
          <Notice kind="bad">{invited.reason} You can still sign in.</Notice>
          {invited.askPath !== undefined && (
            <form class="actions" method="post" action={invited.askPath}>
              <Button kind="plain" type="submit">
                Ask for a new invitation
              </Button>
            </form>
          )}
        </>
      );
    case 'none':
    case 'loading':
    case 'incomplete':
      return null;
  }
}

/** Says that a link is incomplete, before the visitor signs in for it. */
export function IncompleteLink() {
  return (
    <div class="card narrow centered">
      <h1>This link is incomplete</h1>
      <p>
        Open it from the message once more, or copy all of it. If that does not help, ask for a new
        invitation.
      </p>
      <div class="actions">
        <a class="button primary" href="/auth/sign-in">
          Sign in without it
        </a>
      </div>
    </div>
  );
}
