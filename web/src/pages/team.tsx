import { can } from '@hearth/shared/roles';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import type { SignedIn as Person } from '../backend/session.ts';
import { Activity } from '../team/activity.tsx';
import { useChoice } from '../team/choice.ts';
import { Invitations as InvitationsCard } from '../team/invitations.tsx';
import { Members as MembersCard } from '../team/members.tsx';
import { useTeamView, type TeamView } from '../team/queries.ts';
import { TeamSettings } from '../team/team-settings.tsx';
import { teamTexts } from '../team/texts.ts';
import { TransferOffer } from '../team/transfer-offer.tsx';
import { Empty } from '../ui/card.tsx';
import { Unreadable } from '../ui/message.tsx';
import { PageLoading } from '../ui/outlines.tsx';
import { SignedIn } from '../ui/signed-in.tsx';
import { uiTexts } from '../ui/texts.ts';

/** The pages of the chosen team. Each has its own URL. The visitor's role decides which pages exist. */
export const Members = () => <TeamPage>{(view) => <MembersCard {...view} />}</TeamPage>;

export const Invitations = () => (
  <TeamPage>
    {(view) =>
      can(view.role, 'invitation:list') ? (
        <InvitationsCard {...view} />
      ) : (
        <Empty>{teamTexts().page.inviters(view.team.name)}</Empty>
      )
    }
  </TeamPage>
);

export const ActivityPage = () => (
  <TeamPage>
    {({ team, uid, role }) =>
      can(role, 'audit:read') ? (
        <Activity teamId={team.id} uid={uid} />
      ) : (
        <Empty>{teamTexts().page.readers(team.name)}</Empty>
      )
    }
  </TeamPage>
);

export const Settings = () => <TeamPage>{(view) => <TeamSettings {...view} />}</TeamPage>;

type Content = (view: TeamView) => ComponentChildren;

function TeamPage({ children }: { children: Content }) {
  return <SignedIn>{(person) => <ChosenTeam person={person}>{children}</ChosenTeam>}</SignedIn>;
}

function ChosenTeam({ person, children }: { person: Person; children: Content }) {
  const choice = useChoice(person);
  if (choice === undefined) return <PageLoading what={teamTexts().team} />;
  const { team, role } = choice.chosen;
  if (team === undefined || role === undefined) return <NoTeam hasTeams={choice.subjects.length > 1} />;
  return (
    <Team key={team} teamId={team} role={role} uid={person.session.user.uid}>
      {children}
    </Team>
  );
}

function NoTeam({ hasTeams }: { hasTeams: boolean }) {
  const texts = teamTexts().page;
  return (
    <div class="stack">
      <h1>{uiTexts().team}</h1>
      <Empty>
        {hasTeams ? texts.choose : texts.none}{' '}
        <a href="/dashboard">{hasTeams ? texts.dashboard : texts.create}</a>
      </Empty>
    </div>
  );
}

type TeamProps = Pick<TeamView, 'uid' | 'role'> & { teamId: string; children: Content };

function Team({ teamId, uid, role, children }: TeamProps) {
  const texts = teamTexts();
  const view = useTeamView(teamId, uid, role);
  if (view.state === 'failed') return <Unreadable what={texts.team} retry={view.retry} />;
  // The membership of a deleted team disappears a moment after the team.
  if (view.state === 'loading' || view.value === undefined) return <PageLoading what={texts.team} />;
  const { team, seats } = view.value;
  return (
    <div class="stack">
      <div class="card-head">
        <h1 class="wrap">{team.name}</h1>
        <span class="muted small">{texts.page.seats(seats, team.seatLimit)}</span>
      </div>
      <Tabs role={role} />
      <TransferOffer team={team} uid={uid} role={role} />
      {children(view.value)}
    </div>
  );
}

const TABS = [
  ['/team/members', 'members', 'member:list'],
  ['/team/invitations', 'invitations', 'invitation:list'],
  ['/team/activity', 'activity', 'audit:read'],
  ['/team/settings', 'teamSettings', 'member:leave'],
] as const;

function Tabs({ role }: Pick<TeamView, 'role'>) {
  const { path } = useLocation();
  return (
    <nav aria-label={uiTexts().team}>
      <ul class="tabs">
        {TABS.filter(([, , action]) => can(role, action)).map(([href, title]) => (
          <li key={href}>
            <a class="tab" href={href} aria-current={href === path ? 'page' : undefined}>
              {uiTexts().titles[title]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
