import { findPlan, type Session } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { valueOf } from '../backend/source.ts';
import { usePlans } from '../billing/catalogue.ts';
import { StorageMeter, type PlanHolder } from '../files/storage-meter.tsx';
import { useTeamView, type TeamView } from '../team/queries.ts';
import type { Subject } from '../team/subjects.ts';
import { TransferOffer } from '../team/transfer-offer.tsx';
import { Card } from '../ui/card.tsx';
import { Unreadable } from '../ui/message.tsx';
import { Meter } from '../ui/meter.tsx';
import { OverviewOutline } from '../ui/outlines.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { dashboardTexts } from './texts.ts';

/** The plan, the seats and the storage of the chosen team, or of the user. */
export function Overview({ chosen, session }: { chosen: Subject; session: Session }) {
  const { uid } = session.user;
  const texts = dashboardTexts().overview;
  if (chosen.team === undefined || chosen.role === undefined) {
    return (
      <Card title={texts.ownPlan} aside={<a href="/billing">{texts.billing}</a>}>
        <div class="meters">
          <PlanAndStorage ownerId={uid} holder={session} />
        </div>
        <p class="actions">
          <a class="button" href="/files">
            {texts.ownFiles}
          </a>
        </p>
      </Card>
    );
  }
  return <TeamOverview teamId={chosen.team} uid={uid} role={chosen.role} />;
}

function TeamOverview({ teamId, uid, role }: Pick<TeamView, 'uid' | 'role'> & { teamId: string }) {
  const view = useTeamView(teamId, uid, role);
  const texts = dashboardTexts().overview;
  if (view.state === 'failed') return <Unreadable what={texts.team} retry={view.retry} />;
  // The membership of a deleted team disappears a moment after the team.
  if (view.state === 'loading' || view.value === undefined) return <TeamLoading />;
  const { team, seats } = view.value;
  return (
    <>
      <TransferOffer team={team} uid={uid} role={role} />
      <Card title={team.name} aside={<span class="badge">{texts.role(role)}</span>}>
        <div class="meters">
          <PlanAndStorage ownerId={team.id} holder={team} />
          <Meter
            name={texts.seats}
            used={seats ?? 0}
            limit={team.seatLimit}
            text={texts.seatsTaken(seats, team.seatLimit)}
          />
        </div>
        <p class="actions">
          <a class="button primary" href="/team/members">
            {texts.members}
          </a>
          {can(role, 'invitation:list') && (
            <a class="button" href="/team/invitations">
              {texts.invite}
            </a>
          )}
          <a class="button" href="/files">
            {texts.teamFiles}
          </a>
        </p>
      </Card>
    </>
  );
}

/** Shown until the chosen team is known. */
export function TeamLoading() {
  return (
    <Skeleton what={dashboardTexts().overview.team}>
      <OverviewOutline />
    </Skeleton>
  );
}

function PlanAndStorage({ ownerId, holder }: { ownerId: string; holder: PlanHolder }) {
  const plans = valueOf(usePlans());
  return (
    <>
      <div>
        <p class="muted small">{dashboardTexts().overview.plan}</p>
        <p class="figure">{(plans && findPlan(plans, holder.plan)?.name) ?? holder.plan}</p>
      </div>
      <StorageMeter ownerId={ownerId} holder={holder} />
    </>
  );
}
