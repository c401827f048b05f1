import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { setActiveTeam, useProfile } from '../account/profile.ts';
import { valueOf } from '../backend/source.ts';
import type { SignedIn as Person } from '../backend/session.ts';
import { arrivalMessage } from '../dashboard/message.ts';
import { OwnInvitations } from '../dashboard/own-invitations.tsx';
import { Teams } from '../dashboard/teams.tsx';
import { VerificationNotice } from '../dashboard/verification-notice.tsx';
import { Message } from '../ui/message.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => <SignedIn>{(person) => <Dashboard person={person} />}</SignedIn>;

function Dashboard({ person }: { person: Person }) {
  const { user, teams } = person.session;
  const profile = valueOf(useProfile(user.uid));
  const { query, path, route } = useLocation();
  const [news, setNews] = useState(() => ({
    message: arrivalMessage(new URLSearchParams(query), teams),
    teamId: query['team'],
  }));
  useEffect(() => {
    // A reload does not show the message again.
    if (Object.keys(query).length > 0) route(path, true);
  }, []);
  const name = profile?.displayName ?? user.displayName ?? user.email ?? 'there';
  const choose = (teamId: string) => {
    setNews({ message: undefined, teamId });
    // It is remembered for the next visit; where that fails, the choice still holds for this one.
    setActiveTeam(user.uid, teamId).catch(() => undefined);
  };
  return (
    <div class="stack">
      <h1 class="wrap">Hello, {name}</h1>
      <Message outcome={news.message === undefined ? undefined : { kind: 'good', text: news.message }} />
      {!user.emailVerified && user.email !== null && (
        <VerificationNotice user={person.user} email={user.email} />
      )}
      <OwnInvitations
        email={user.emailVerified ? user.email : null}
        onAnswered={(message, teamId = news.teamId) => {
          setNews({ message, teamId });
        }}
      />
      <Teams uid={user.uid} shownId={news.teamId ?? profile?.activeTeamId ?? undefined} onChoose={choose} />
    </div>
  );
}
