import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { Link } from '../ui/link.tsx';
import { nameOf, type MemberDocument, type TeamDocument } from './documents.ts';

interface SeatHintProps {
  team: TeamDocument;
  /** The visitor's role. */
  role: Role;
  members: MemberDocument[];
}

/** How a full team gets more seats: a link for a visitor who may buy them, and the name of an owner for another one. */
export function SeatHint({ team, role, members }: SeatHintProps) {
  if (can(role, 'billing:manage')) {
    return (
      <p class="small">
        <Link href={`/billing?team=${encodeURIComponent(team.id)}`}>See the plans with more seats</Link>
      </p>
    );
  }
  const owner = members.find(({ uid }) => uid === team.ownerId);
  return (
    <p class="small">
      {owner === undefined ? 'An owner of the team' : nameOf(owner)} can buy a plan with more seats.
    </p>
  );
}
