import type { Role } from '@hearth/shared/roles';
import { cleanTeamName } from '../../common/name.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import type { Team } from '../../firestore/documents/team.ts';
import type { Config } from '../../settings/config.ts';
import { hashOfSecret, lifetimeFrom, newInvitationId, newSecret } from '../invitation.ts';

interface NewInvitation<Email extends string | null> {
  teamId: string;
  team: Pick<Team, 'name'>;
  /** Lower case. Null for a shared invitation. */
  email: Email;
  role: Role;
  invitedBy: string;
  config: Pick<Config, 'invitationDays'>;
  now: Date;
}

interface WrittenInvitation<Email extends string | null> {
  id: string;
  secret: string;
  invitation: Invitation & { email: Email };
}

/** Writes a new invitation and its entry in the audit log. */
export function writeInvitation<Email extends string | null>(
  tx: Tx,
  { teamId, team, email, role, invitedBy, config, now }: NewInvitation<Email>,
): WrittenInvitation<Email> {
  const id = newInvitationId();
  const secret = newSecret();
  const invitation: Invitation & { email: Email } = {
    teamId,
    teamName: cleanTeamName(team.name),
    email,
    role,
    status: 'pending',
    invitedBy,
    secretHash: hashOfSecret(secret),
    createdAt: now,
    respondedAt: null,
    ...lifetimeFrom(now, config.invitationDays),
  };
  tx.invitations.create(id, invitation);
  const details = { email, role };
  tx.audit.record({ teamId, actorId: invitedBy, action: 'invitation.created', target: id, at: now, details });
  return { id, secret, invitation };
}
