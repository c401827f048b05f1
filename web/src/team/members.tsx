import type { Role } from '@hearth/client';
import { useState } from 'preact/hooks';
import { ROLES, can, isAtLeast } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import type { Live } from '../backend/source.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Options } from '../ui/form.tsx';
import { LiveList } from '../ui/live-list.tsx';
import { Message } from '../ui/message.tsx';
import { isLastOwner, nameOf, type MemberDocument, type TeamDocument } from './documents.ts';

interface MembersProps {
  team: TeamDocument;
  uid: string;
  /** The visitor's role. */
  role: Role;
  members: Live<MemberDocument[]>;
}

/** The number of members that are shown at first, so that the rest of the page stays near. */
const FIRST = 10;

export function Members({ members, ...row }: MembersProps) {
  const [isAll, setAll] = useState(false);
  return (
    <Card title="Members">
      <LiveList items={members} what="members" empty="Nobody is here.">
        {(list) => (
          <>
            <ul class="rows">
              {(isAll ? list : list.slice(0, FIRST)).map((member) => (
                <MemberRow
                  key={member.uid}
                  {...row}
                  member={member}
                  isLastOwner={isLastOwner(member.uid, list)}
                />
              ))}
            </ul>
            {!isAll && list.length > FIRST && (
              <Button
                onClick={() => {
                  setAll(true);
                }}
              >
                Show all {list.length} members
              </Button>
            )}
          </>
        )}
      </LiveList>
    </Card>
  );
}

interface MemberRowProps extends Omit<MembersProps, 'members'> {
  member: MemberDocument;
  isLastOwner: boolean;
}

function MemberRow({ team, uid, role, member, isLastOwner: isLast }: MemberRowProps) {
  const isSelf = member.uid === uid;
  // A team keeps an owner: the role of the last one changes by an offer of ownership only.
  const mayChange = can(role, 'member:update') && isAtLeast(role, member.role) && !isLast;
  return (
    <li class="row">
      <div class="row-text">
        <strong class="wrap">
          {nameOf(member)}
          {isSelf && ' (you)'}
        </strong>
        {member.displayName !== null && <span class="muted small wrap">{member.email}</span>}
      </div>
      <div class="actions">
        {mayChange ? (
          <RoleChoice teamId={team.id} role={role} member={member} />
        ) : (
          <span class="badge">{member.role}</span>
        )}
        {mayChange && !isSelf && <Removal team={team} member={member} />}
      </div>
    </li>
  );
}

/** Shows the new role at once, and the old one again where the change is refused. */
function RoleChoice({ teamId, role, member }: { teamId: string; role: Role; member: MemberDocument }) {
  const [wanted, setWanted] = useState<Role>();
  const { outcome, run } = useAction();
  const change = (next: Role) => {
    setWanted(next);
    void run(async () => {
      try {
        await hearth.teams.changeRole(teamId, member.uid, next);
      } finally {
        setWanted(undefined);
      }
    });
  };
  return (
    <div class="stack-small">
      <select
        aria-label={`Role of ${nameOf(member)}`}
        value={wanted ?? member.role}
        onChange={({ currentTarget }) => {
          const next = ROLES.find((candidate) => candidate === currentTarget.value);
          if (next !== undefined) change(next);
        }}
      >
        <Options options={rolesFor(role, member.role).map((name) => [name, name])} />
      </select>
      <Message outcome={outcome} />
    </div>
  );
}

/** A member becomes an owner by consent only: see the offer in the team's settings. */
function rolesFor(own: Role, now: Role): Role[] {
  return ROLES.filter((role) => isAtLeast(own, role) && (role !== 'owner' || now === 'owner'));
}

function Removal({ team, member }: { team: TeamDocument; member: MemberDocument }) {
  return (
    <Confirm
      kind="danger-link"
      label="Remove"
      title={`Remove ${nameOf(member)}?`}
      confirm="Remove from the team"
      onConfirm={async () => {
        await hearth.teams.removeMember(team.id, member.uid);
        return `${nameOf(member)} is no longer a member.`;
      }}
    >
      They lose access to {team.name} at once. You can invite them again.
    </Confirm>
  );
}
