import type { AdminTeam } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest } from '../backend/source.ts';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Failure, Loading } from '../ui/message.tsx';
import { Entries, Facts, Plan } from './facts.tsx';
import { asOperator } from './operator.ts';
import { adminTexts } from './texts.ts';

/** A team with everything that an operator may do for it. */
export function TeamCard({ teamId, onDeleted }: { teamId: string; onDeleted: () => void }) {
  const key = `admin team ${teamId}`;
  const found = useRequest(key, (signal) => hearth.admin.team(teamId, { signal }));
  if (found.state === 'failed') return <Failure error={found.error} />;
  if (found.state === 'loading') return <Loading what={adminTexts().team.what} />;
  const change = async (work: () => Promise<void>) => {
    await asOperator(work);
    refresh(key);
  };
  return <Details found={found.value} change={change} onDeleted={onDeleted} />;
}

interface DetailsProps {
  found: AdminTeam;
  change: (work: () => Promise<void>) => Promise<void>;
  onDeleted: () => void;
}

function Details({ found, change, onDeleted }: DetailsProps) {
  const { team: texts, changeOwner } = adminTexts();
  const { team, invitations, members, document } = found;
  return (
    <Card title={team.name}>
      <Facts
        facts={[
          [texts.id, team.id],
          [texts.slug, team.slug],
          [texts.plan, texts.planWithSeats(team.plan, String(document['seatLimit']))],
          [texts.invitations, String(invitations.length)],
        ]}
      />
      <ul class="rows">
        {members.map((member) => {
          const uid = String(member['id']);
          const name = typeof member['email'] === 'string' ? member['email'] : uid;
          return (
            <li class="row" key={uid}>
              <span class="row-text wrap">{name}</span>
              {uid === team.ownerId ? (
                <span class="badge">{texts.owner}</span>
              ) : (
                <Confirm
                  kind="link"
                  label={changeOwner.label(name)}
                  title={changeOwner.title(name)}
                  confirm={changeOwner.confirm}
                  onConfirm={() => change(() => hearth.admin.changeOwner(team.id, uid))}
                >
                  {changeOwner.effect}
                </Confirm>
              )}
            </li>
          );
        })}
      </ul>
      <Plan customerId={team.id} comp={found.comp} change={change} />
      <Delete found={found} onDeleted={onDeleted} />
      <Entries entries={found.auditEntries} />
    </Card>
  );
}

/** Deletes a team after its name was typed, because other people lose it too. */
function Delete({ found: { team, document }, onDeleted }: Omit<DetailsProps, 'change'>) {
  const texts = adminTexts().deleteTeam;
  const isSubscribed = document['hasRunningSubscription'] === true;
  return (
    <div class="actions">
      <Confirm
        label={texts.label}
        title={texts.title(team.name)}
        confirm={texts.confirm}
        typed={{ label: texts.typed, name: team.name }}
        onConfirm={async () => {
          await asOperator(() => hearth.admin.deleteTeam(team.id, { endSubscription: isSubscribed }));
          onDeleted();
          return texts.done(team.name);
        }}
      >
        {isSubscribed ? texts.effectIfSubscribed : texts.effect}
      </Confirm>
    </div>
  );
}
