import { limitOf, type Plan, type Session } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { valueOf } from '../backend/source.ts';
import { usePlans } from '../billing/purchases.ts';
import { useStorageUsage } from '../files/queries.ts';
import { formatBytes } from '../format.ts';
import { useTeamView, type TeamView } from '../team/queries.ts';
import type { Subject } from '../team/subjects.ts';
import { TransferOffer } from '../team/transfer-offer.tsx';
import { Card } from '../ui/card.tsx';
import { Loading, Unreadable } from '../ui/message.tsx';

/** The plan, the seats and the storage of the chosen team, or of the user. */
export function Overview({ chosen, session }: { chosen: Subject; session: Session }) {
  const { uid } = session.user;
  if (chosen.team === undefined || chosen.role === undefined) {
    return (
      <Card title="Your own plan" aside={<a href="/billing">Billing</a>}>
        <div class="meters">
          <PlanAndStorage ownerId={uid} holder={session} />
        </div>
        <p class="actions">
          <a class="button" href="/files">
            Your files
          </a>
        </p>
      </Card>
    );
  }
  return <TeamOverview teamId={chosen.team} uid={uid} role={chosen.role} />;
}

function TeamOverview({ teamId, uid, role }: Pick<TeamView, 'uid' | 'role'> & { teamId: string }) {
  const view = useTeamView(teamId, uid, role);
  if (view.state === 'failed') return <Unreadable what="team" retry={view.retry} />;
  // The membership of a deleted team disappears a moment after the team.
  if (view.state === 'loading' || view.value === undefined) return <Loading what="team" />;
  const { team, members, seats } = view.value;
  return (
    <>
      <TransferOffer team={team} uid={uid} role={role} members={valueOf(members) ?? []} />
      <Card title={team.name} aside={<span class="badge">{role}</span>}>
        <div class="meters">
          <PlanAndStorage ownerId={team.id} holder={team} />
          <Meter
            name="Seats"
            used={seats}
            limit={team.seatLimit}
            text={`${seats} of ${team.seatLimit} taken`}
          />
        </div>
        <p class="actions">
          <a class="button primary" href="/team/members">
            Members
          </a>
          {can(role, 'invitation:list') && (
            <a class="button" href="/team/invitations">
              Invite people
            </a>
          )}
          <a class="button" href="/files">
            Files of the team
          </a>
        </p>
      </Card>
    </>
  );
}

interface PlanAndStorageProps {
  ownerId: string;
  holder: { plan: string; addOns?: Readonly<Record<string, number>> | undefined };
}

function PlanAndStorage({ ownerId, holder }: PlanAndStorageProps) {
  const plans = valueOf(usePlans());
  const usage = useStorageUsage(ownerId);
  const limit = plans && storageLimit(plans, holder);
  const used = usage.state === 'ready' ? (usage.value ?? 0) : undefined;
  return (
    <>
      <div>
        <p class="muted small">Plan</p>
        <p class="figure">{plans?.find(({ slug }) => slug === holder.plan)?.name ?? holder.plan}</p>
      </div>
      {used !== undefined && limit !== undefined && (
        <Meter
          name="Storage"
          used={used}
          limit={limit}
          text={`${formatBytes(used)} of ${formatBytes(limit)} used`}
        />
      )}
    </>
  );
}

/** Bytes. */
function storageLimit(plans: readonly Plan[], holder: PlanAndStorageProps['holder']): number | undefined {
  const megabytes = limitOf(plans, holder, 'uploadMegabytes');
  return typeof megabytes === 'number' ? megabytes * 1_000_000 : undefined;
}

interface MeterProps {
  name: string;
  used: number;
  limit: number;
  /** The values in words. */
  text: string;
}

function Meter({ name, used, limit, text }: MeterProps) {
  return (
    <div>
      <p class="muted small">{name}</p>
      <p class="figure">{text}</p>
      <meter aria-label={name} min={0} max={limit} high={limit * 0.9} value={Math.min(used, limit)}>
        {text}
      </meter>
    </div>
  );
}
