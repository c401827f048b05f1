import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useProfile } from '../account/profile.ts';
import type { SignedIn as Person } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { arrivalMessage } from '../dashboard/message.ts';
import { NewTeam } from '../dashboard/new-team.tsx';
import { Overview, TeamLoading } from '../dashboard/overview.tsx';
import { OwnInvitations } from '../dashboard/own-invitations.tsx';
import { SharedInvitation } from '../dashboard/shared-invitation.tsx';
import { dashboardTexts } from '../dashboard/texts.ts';
import { VerificationNotice } from '../sign-in/verification-notice.tsx';
import { useChoice } from '../team/choice.ts';
import { hasLinkSecret } from '../team/invitation-link.ts';
import { Message } from '../ui/message.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => <SignedIn>{(person) => <Dashboard person={person} />}</SignedIn>;

function Dashboard({ person }: { person: Person }) {
  const { user, teams, impersonation } = person.session;
  const profile = valueOf(useProfile(user.uid));
  const choice = useChoice(person);
  const { query, path, route } = useLocation();
  const [message, setMessage] = useState(() => arrivalMessage(new URLSearchParams(query), teams));
  const [link, setLink] = useState(() => linkIn(query['invitation']));
  const isChosen = choice !== undefined;
  useEffect(() => {
    if (!isChosen || Object.keys(query).length === 0) return;
    // A reload does not show the message again, and the team of the URL stays chosen.
    const { team } = query;
    if (teams.some(({ id }) => id === team) && team !== undefined) choice.choose(team);
    route(path, true);
  }, [isChosen]);
  const onAnswered = (answer: string, teamId?: string) => {
    setMessage(answer);
    if (teamId !== undefined) choice?.choose(teamId);
  };
  const name = profile?.displayName ?? user.displayName ?? user.email ?? undefined;
  return (
    <div class="stack">
      <h1 class="wrap">{dashboardTexts().hello(name)}</h1>
      <Message outcome={message === undefined ? undefined : { kind: 'good', text: message }} />
      {!user.emailVerified && user.email !== null && (
        <VerificationNotice user={person.user} email={user.email} text={dashboardTexts().verification} />
      )}
      {link !== undefined && (
        <SharedInvitation
          link={link}
          onAnswered={(answer, teamId) => {
            setLink(undefined);
            onAnswered(answer, teamId);
          }}
        />
      )}
      <OwnInvitations
        email={user.emailVerified ? user.email : null}
        isImpersonated={impersonation !== undefined}
        onAnswered={onAnswered}
      />
      {choice === undefined ? (
        <TeamLoading />
      ) : (
        <>
          <Overview key={choice.chosen.id} chosen={choice.chosen} session={person.session} />
          <NewTeam
            isFirst={choice.subjects.length < 2}
            onCreated={(teamId) => {
              setMessage(undefined);
              choice.choose(teamId);
            }}
          />
        </>
      )}
    </div>
  );
}

/** The parameter of the link of a shared invitation, which the visitor has opened. */
function linkIn(parameter: string | undefined): string | undefined {
  return parameter !== undefined && hasLinkSecret(parameter) ? parameter : undefined;
}
