import type { Role } from '@hearth/client';
import { ROLES, can, isAtLeast } from '@hearth/shared/roles';
import { useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { refresh, valueOf } from '../backend/source.ts';
import { formatDate } from '../format.ts';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { DataTable, SearchField, useSettled } from '../ui/data-table.tsx';
import { Select } from '../ui/form.tsx';
import { uiTexts } from '../ui/texts.ts';
import { isLastOwner, nameOf, type MemberDocument, type TeamDocument } from './documents.ts';
import { useFoundMembers, type RoleFilter } from './find-members.ts';
import { memberCountKey, useMemberCount, useOwners } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';
import { teamTexts } from './texts.ts';

interface MembersProps {
  team: TeamDocument;
  uid: string;
  /** The visitor's role. */
  role: Role;
}

const ROLE_FILTERS: readonly RoleFilter[] = ['all', ...ROLES];

/** The members of a team as a table. */
export function Members(props: MembersProps) {
  const { team } = props;
  const [text, setText] = useState('');
  const [role, setRole] = useState<RoleFilter>('all');
  const searched = useSettled(text);
  const paged = useFoundMembers(team.id, searched, role);
  const owners = valueOf(useOwners(team.id));
  const total = useMemberCount(team.id);
  const texts = teamTexts().members;
  return (
    <Card title={uiTexts().titles.members}>
      <div class="filters">
        <SearchField hint={texts.hint} value={text} onText={setText} />
        <Select
          label={texts.role}
          options={ROLE_FILTERS.map((filter) => [filter, texts.filters[filter]])}
          value={role}
          onSelect={setRole}
        />
      </div>
      <DataTable
        names={texts.names}
        columns={texts.columns}
        paged={paged}
        isSearch={searched !== ''}
        total={role === 'all' ? total : undefined}
        empty={searched === '' ? texts.noneWithRole : texts.noneFound}
        row={(member) => (
          <MemberRow key={member.uid} {...props} member={member} isLastOwner={isLastOwner(member, owners)} />
        )}
      />
    </Card>
  );
}

interface MemberRowProps extends MembersProps {
  member: MemberDocument;
  isLastOwner: boolean;
}

function MemberRow({ team, uid, role, member, isLastOwner: isLast }: MemberRowProps) {
  const isSelf = member.uid === uid;
  // A team keeps an owner: the role of the last one changes by an offer of ownership only.
  const mayChange = can(role, 'member:update') && isAtLeast(role, member.role) && !isLast;
  const { members: texts, roles } = teamTexts();
  return (
    <tr role="row">
      <td role="cell" class="main">
        <strong class="wrap">{isSelf ? texts.you(nameOf(member)) : nameOf(member)}</strong>
        {member.displayName !== null && <span class="muted small wrap">{member.email}</span>}
      </td>
      <td role="cell">
        {mayChange ? (
          <RoleChoice teamId={team.id} role={role} member={member} isSelf={isSelf} />
        ) : (
          <span class="badge">{roles[member.role]}</span>
        )}
      </td>
      <td role="cell" class="line muted small">
        {texts.joined(formatDate(member.joinedAt), (text) => (
          <span class="on-phone">{text}</span>
        ))}
      </td>
      <td role="cell">{mayChange && !isSelf && <Removal team={team} member={member} />}</td>
    </tr>
  );
}

function Removal({ team, member }: { team: TeamDocument; member: MemberDocument }) {
  const texts = teamTexts().members;
  return (
    <Confirm
      kind="danger-link"
      label={texts.remove}
      about={nameOf(member)}
      title={texts.removeWhom(nameOf(member))}
      confirm={texts.removeFromTeam}
      onConfirm={async () => {
        await hearth.teams.removeMember(team.id, member.uid);
        refresh(memberCountKey(team.id));
        return texts.removed(nameOf(member));
      }}
    >
      {texts.removeEffect(team.name)}
    </Confirm>
  );
}
