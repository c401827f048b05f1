import type { AuditEntry } from './teams.ts';

/** What a team is, told by its audit log alone. */
export interface ReplayedTeam {
  exists: boolean;
  /** Role by uid. */
  members: Map<string, string>;
  /** Status by id. */
  invitations: Map<string, string>;
}

/**
 * Lives a team's audit log again, in the order of its commits.
 *
 * @throws Error at the first entry after which a team has no owner or more than its seats, a person joins twice, or
 *   that changes what the entries before do not account for
 */
export function replay(entries: readonly AuditEntry[], seatLimit: number): ReplayedTeam {
  const team: ReplayedTeam = { exists: false, members: new Map(), invitations: new Map() };
  for (const entry of entries) {
    try {
      apply(team, entry);
      assertSound(team, seatLimit);
    } catch (error) {
      throw new Error(`${JSON.stringify(entry)} after ${JSON.stringify(entries)}`, { cause: error });
    }
  }
  return team;
}

function apply(team: ReplayedTeam, { action, actorId, target, details }: AuditEntry): void {
  const { members, invitations } = team;
  const detail = (name: string): string => details[name] ?? '';
  const was = (map: Map<string, string>, key: string, value: string): void => {
    if (map.get(key) !== value) throw new Error(`${key} is ${map.get(key) ?? 'nothing'}, not ${value}`);
  };
  const steps: Record<string, () => void> = {
    'team.created': () => {
      team.exists = true;
      members.set(actorId, 'owner');
    },
    'team.transferred': () => {
      was(members, actorId, 'owner');
      was(members, target, detail('from'));
      members.set(target, 'owner').set(actorId, 'admin');
    },
    'team.deletion_started': () => undefined,
    'team.deleted': () => {
      was(members, actorId, 'owner');
      team.exists = false;
      members.clear();
      invitations.clear();
    },
    'member.role_changed': () => {
      was(members, target, detail('from'));
      members.set(target, detail('to'));
    },
    'member.removed': () => {
      was(members, target, detail('role'));
      members.delete(target);
    },
    'member.left': () => {
      was(members, actorId, detail('role'));
      members.delete(target);
    },
    'invitation.created': () => {
      if (invitations.has(target)) throw new Error('was created before');
      invitations.set(target, 'pending');
    },
    'invitation.resent': () => {
      was(invitations, target, 'pending');
    },
    'invitation.cancelled': () => {
      was(invitations, target, 'pending');
      invitations.set(target, 'cancelled');
    },
    'invitation.rejected': () => {
      was(invitations, target, 'pending');
      invitations.set(target, 'rejected');
    },
    'invitation.accepted': () => {
      was(invitations, target, 'pending');
      if (members.has(actorId)) throw new Error('is a member already');
      invitations.set(target, 'accepted');
      members.set(actorId, detail('role'));
    },
  };
  const step = steps[action];
  if (step === undefined) throw new Error('no such action');
  if (!team.exists && action !== 'team.created') throw new Error('there is no team');
  step();
}

function assertSound({ exists, members, invitations }: ReplayedTeam, seatLimit: number): void {
  if (!exists) return;
  if (![...members.values()].includes('owner')) throw new Error('no owner is left');
  const pending = [...invitations.values()].filter((status) => status === 'pending');
  if (members.size + pending.length > seatLimit) throw new Error('more seats are taken than there are');
}
