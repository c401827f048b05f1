import type { Session } from '@hearth/client';
import { useState } from 'preact/hooks';
import { useProfile } from '../account/profile.ts';
import { valueOf } from '../backend/live.ts';
import type { SignedIn as Person } from '../backend/session.ts';
import { arrivalMessage } from '../dashboard/message.ts';
import { OwnInvitations } from '../dashboard/own-invitations.tsx';
import { Teams } from '../dashboard/teams.tsx';
import { VerificationNotice } from '../dashboard/verification-notice.tsx';
import { Notice } from '../ui/message.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => <SignedIn>{(person) => <Dashboard person={person} />}</SignedIn>;

function Dashboard({ person }: { person: Person }) {
  const { user, teams } = person.session;
  const profile = valueOf(useProfile(user.uid));
  const [arrival] = useState(() => takeArrival(teams));
  const name = profile?.displayName ?? user.displayName ?? user.email ?? 'there';
  return (
    <div class="stack">
      <h1 class="wrap">Hello, {name}</h1>
      {arrival.message !== undefined && (
        <div role="status">
          <Notice kind="good">{arrival.message}</Notice>
        </div>
      )}
      {!user.emailVerified && user.email !== null && (
        <VerificationNotice user={person.user} email={user.email} />
      )}
      <OwnInvitations email={user.emailVerified ? user.email : null} />
      <Teams uid={user.uid} activeTeamId={arrival.teamId ?? profile?.activeTeamId ?? undefined} />
    </div>
  );
}

/** What the address tells of where the person comes from. It is taken off: a reload or a bookmark is no arrival. */
function takeArrival(teams: Session['teams']): { message: string | undefined; teamId: string | undefined } {
  const query = new URLSearchParams(location.search);
  if (location.search !== '') history.replaceState(null, '', location.pathname);
  return { message: arrivalMessage(query, teams), teamId: query.get('team') ?? undefined };
}
