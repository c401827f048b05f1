import { HearthError, type LinkedInvitation } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { useRequest, type Live } from '../backend/source.ts';
import { messageOf } from '../errors.ts';
import { formatDate } from '../format.ts';
import { hasLinkSecret, isLinkParameter } from '../team/invitation-link.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/message.tsx';
import { signInTexts } from './texts.ts';

/** The invitation that the visitor of the sign-in page comes from. */
export type Invited =
  | { state: 'none' }
  | { state: 'loading' }
  /** A link without an invitation. Signing in does not help. */
  | { state: 'incomplete' }
  /** A link that was shared, or whose invitation cannot be read. */
  | { state: 'unknown' }
  /** An invitation that can no longer be accepted. */
  | { state: 'closed'; reason: string; askPath: string | undefined }
  | { state: 'open'; invitation: LinkedInvitation };

/** @param link the URL of an invitation link that asked for a sign-in; undefined if the visitor came from elsewhere */
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

function invitedOf(read: Live<LinkedInvitation | undefined>, parameter: string): Invited {
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
      return { state: 'closed', reason: messageOf(error), askPath };
    }
  }
}

/** Shows who invites, to which team and as what, above the forms of the sign-in page. */
export function InvitedBy({ invited }: { invited: Invited }) {
  const texts = signInTexts().invited;
  switch (invited.state) {
    case 'open': {
      const { teamName, role, email, senderName, senderEmail, expiresAt } = invited.invitation;
      const sender = senderName ?? senderEmail ?? texts.somebody;
      const until = formatDate(new Date(expiresAt));
      return (
        <section class="notice stack-small" aria-label={texts.label}>
          <p class="wrap">{texts.by(<strong>{sender}</strong>, <strong>{teamName}</strong>, role)}</p>
          <p class="small wrap">{email === null ? texts.link(until) : texts.forAddress(email, until)}</p>
        </section>
      );
    }
    case 'unknown':
      return <Notice>{texts.unknown}</Notice>;
    case 'closed':
      return (
        <>
          <Notice kind="bad">{texts.closed(invited.reason)}</Notice>
          {invited.askPath !== undefined && (
            <form class="actions" method="post" action={invited.askPath}>
              <Button kind="plain" type="submit">
                {texts.ask}
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
  const texts = signInTexts().invited;
  return (
    <div class="card narrow centered">
      <h1>{texts.incomplete}</h1>
      <p>{texts.incompleteLead}</p>
      <div class="actions">
        <a class="button primary" href="/auth/sign-in">
          {texts.without}
        </a>
      </div>
    </div>
  );
}
