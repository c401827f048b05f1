import { can } from '@hearth/shared/roles';
import { valueOf } from '../backend/source.ts';
import { Loading, Unreadable } from '../ui/message.tsx';
import { Activity } from './activity.tsx';
import type { Membership } from './documents.ts';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { useMembers, usePendingInvitations, useTeam } from './queries.ts';
import { TeamSettings } from './team-settings.tsx';
import { TransferOffer } from './transfer-offer.tsx';

/** Everything of one team that the role allows to see and do, kept up to date. */
export function TeamPanel({ uid, membership }: { uid: string; membership: Membership }) {
  const { teamId, role } = membership;
  const mayInvite = can(role, 'invitation:list');
  const shown = useTeam(teamId);
  const members = useMembers(teamId);
  const invitations = usePendingInvitations(teamId, mayInvite);
  if (shown.state === 'failed') return <Unreadable what="team" retry={shown.retry} />;
  const team = valueOf(shown);
  // The membership of a deleted team disappears a moment after the team.
  if (team === undefined) return <Loading what="team" />;
  const known = valueOf(members) ?? [];
  const promised = (valueOf(invitations) ?? []).filter(({ expiresAt }) => expiresAt > new Date());
  return (
    <div class="stack">
      <div class="card-head">
        <h2 class="wrap">{team.name}</h2>
        <span class="muted small">
          {known.length + promised.length} of {team.seatLimit} seats taken
        </span>
      </div>
      <TransferOffer team={team} uid={uid} role={role} members={known} />
      <div class="columns">
        <div class="stack">
          <Members team={team} uid={uid} role={role} members={members} />
          {can(role, 'audit:read') && <Activity teamId={teamId} uid={uid} members={known} />}
        </div>
        <div class="stack">
          {mayInvite && <Invitations team={team} role={role} members={known} invitations={invitations} />}
          <TeamSettings team={team} uid={uid} role={role} members={known} />
        </div>
      </div>
    </div>
  );
}
