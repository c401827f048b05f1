import type { Role } from '@hearth/client';
import { ROLES, isAtLeast } from '@hearth/shared/roles';
import { useRef, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { useAction } from '../ui/action.ts';
import { Ask } from '../ui/confirm.tsx';
import { useFocusHeir } from '../ui/focus.ts';
import { Options } from '../ui/form.tsx';
import { Message } from '../ui/message.tsx';
import { nameOf, type MemberDocument } from './documents.ts';
import { teamTexts } from './texts.ts';

interface RoleChoiceProps {
  teamId: string;
  /** The visitor's role. */
  role: Role;
  member: MemberDocument;
  /** Whether the member is the visitor. */
  isSelf: boolean;
}

/**
 * Shows the new role immediately, and the old one again where the change is refused. A lower role is confirmed first,
 * because an arrow key chooses it at once, and it also ends invitations.
 */
export function RoleChoice({ teamId, role, member, isSelf }: RoleChoiceProps) {
  const [wanted, setWanted] = useState<Role>();
  const [asked, setAsked] = useState<Role>();
  const { outcome, run } = useAction();
  const select = useRef<HTMLSelectElement>(null);
  // A member with a lower role has no choice any more.
  useFocusHeir(select);
  const raise = async (next: Role) => {
    setWanted(next);
    try {
      await hearth.teams.changeRole(teamId, member.uid, next);
    } finally {
      setWanted(undefined);
    }
  };
  const choose = (next: Role) => {
    if (isAtLeast(next, member.role)) void run(() => raise(next));
    else setAsked(next);
  };
  const { members: texts, roles } = teamTexts();
  return (
    <div class="stack-small">
      <select
        ref={select}
        aria-label={texts.roleOf(nameOf(member))}
        value={asked ?? wanted ?? member.role}
        onChange={({ currentTarget }) => {
          const next = ROLES.find((candidate) => candidate === currentTarget.value);
          if (next !== undefined) choose(next);
        }}
      >
        <Options options={rolesFor(role, member.role).map((option) => [option, roles[option]])} />
      </select>
      <Message outcome={outcome} />
      {asked !== undefined && (
        <Ask
          title={isSelf ? texts.lowerOwn(roles[asked]) : texts.lower(nameOf(member), roles[asked])}
          confirm={texts.changeRole}
          onConfirm={async () => {
            await hearth.teams.changeRole(teamId, member.uid, asked);
          }}
          onClosed={() => {
            setAsked(undefined);
          }}
        >
          {isSelf ? texts.lowerOwnEffect : texts.lowerEffect}
        </Ask>
      )}
    </div>
  );
}

/** A member becomes an owner by consent only: see the offer in the team's settings. */
function rolesFor(own: Role, now: Role): Role[] {
  return ROLES.filter((role) => isAtLeast(own, role) && (role !== 'owner' || now === 'owner'));
}
