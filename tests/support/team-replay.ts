import { can, isAtLeast, type Role } from '@hearth/shared/roles';
import type { AuditEntry } from './teams.ts';

/** The state of a team, replayed from its audit log. */
export interface ReplayedTeam {
  exists: boolean;
  /** Role by uid. */
  members: Map<string, string>;
  /** Status by id. */
  invitations: Map<string, string>;
  /** The uids of the owner who offers the team and of the member who may accept. */
  offer: { from: string; to: string } | undefined;
}

/** Actions that are refused as soon as a deletion of the team has begun. */
const GAINS = ['invitation.created', 'invitation.resent', 'invitation.accepted', 'team.transferred'];

/** The seat limit of a new team. */
const FREE_SEATS = 3;

type State = ReplayedTeam & {
  isBeingDeleted: boolean;
  seatLimit: number;
  /** Last sender and role of each invitation, by its id. */
  sent: Map<string, { sender: string; role: string }>;
};

/**
 * Replays a team's audit log, in the order of its commits.
 *
 * @throws Error at the first commit that contradicts the earlier ones, or that makes a person join twice or become an
 *   owner without consent. Also at the first commit after which the team has no owner or too many seats, a pending
 *   invitation has a sender without the right to send it, or an offer is not from an owner to a member. While a
 *   team is being deleted, nobody may be invited or join, and the open invitations are not checked
 */
export function replay(commits: readonly (readonly AuditEntry[])[]): ReplayedTeam {
  const team: State = {
    exists: false,
    isBeingDeleted: false,
    members: new Map(),
    invitations: new Map(),
    offer: undefined,
    sent: new Map(),
    seatLimit: FREE_SEATS,
  };
  for (const entries of commits) {
    try {
      for (const entry of entries) apply(team, entry);
      assertSound(team, entries);
    } catch (error) {
      throw new Error(`${JSON.stringify(entries)} after ${JSON.stringify(commits)}`, { cause: error });
    }
  }
  const { exists, members, invitations, offer } = team;
  return { exists, members, invitations, offer };
}

function apply(team: State, { action, actorId, target, details }: AuditEntry): void {
  const { members, invitations } = team;
  const detail = (name: string): string => details[name] ?? '';
  const was = (map: Map<string, string>, key: string, value: string): void => {
    if (map.get(key) !== value) throw new Error(`${key} is ${map.get(key) ?? 'nothing'}, not ${value}`);
  };
  const closeOffer = (): void => {
    if (team.offer?.to !== target) throw new Error(`the team is not offered to ${target}`);
    team.offer = undefined;
  };
  const steps: Record<string, () => void> = {
    'team.created': () => {
      team.exists = true;
      members.set(actorId, 'owner');
    },
    'team.transferred': () => {
      closeOffer();
      was(members, detail('offeredBy'), 'owner');
      was(members, target, detail('from'));
      members.set(target, 'owner').set(detail('offeredBy'), 'admin');
    },
    'team.transfer_offered': () => {
      if (team.offer !== undefined) throw new Error('another offer is open');
      team.offer = { from: actorId, to: target };
    },
    'team.transfer_declined': () => {
      closeOffer();
    },
    'team.transfer_withdrawn': () => {
      closeOffer();
    },
    'plan.changed': () => {
      team.seatLimit = Number(detail('seatLimit'));
    },
    'team.deletion_started': () => {
      team.isBeingDeleted = true;
    },
    'team.deleted': () => {
      if (actorId !== 'system') was(members, actorId, 'owner');
      team.exists = false;
      members.clear();
      team.offer = undefined;
      invitations.clear();
    },
    'member.role_changed': () => {
      was(members, target, detail('from'));
      if (detail('offeredBy') !== '') closeOffer();
      else if (detail('to') === 'owner' && actorId !== 'system')
        throw new Error('nobody asked the new owner');
      members.set(target, detail('to'));
    },
    'member.removed': () => {
      was(members, target, detail('role'));
      members.delete(target);
    },
    'member.left': () => {
      was(members, target, detail('role'));
      members.delete(target);
    },
    'invitation.created': () => {
      if (invitations.has(target)) throw new Error('was created before');
      invitations.set(target, 'pending');
      team.sent.set(target, { sender: actorId, role: detail('role') });
    },
    'invitation.resent': () => {
      was(invitations, target, 'pending');
      team.sent.set(target, { sender: actorId, role: detail('role') });
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
  if (team.isBeingDeleted && GAINS.includes(action)) throw new Error('the team is being deleted');
  step();
}

/** After a change to a smaller plan more seats may be taken than the limit. Then no seat may be added. */
function assertSound(team: State, entries: readonly AuditEntry[]): void {
  const { exists, members, invitations, seatLimit } = team;
  if (!exists) return;
  if (![...members.values()].includes('owner')) throw new Error('no owner is left');
  assertEntitledOffer(team);
  // A deletion removes the open invitations in batches, without audit entries.
  if (team.isBeingDeleted) return;
  assertEntitledSenders(team);
  const pending = [...invitations.values()].filter((status) => status === 'pending');
  const taken = members.size + pending.length;
  for (const { action } of entries) {
    const isPromised = action === 'invitation.created' || action === 'invitation.resent';
    const isTaken = action === 'invitation.accepted' && members.size > seatLimit;
    if (taken > seatLimit && (isPromised || isTaken)) throw new Error('more seats are taken than there are');
  }
}

/** Asserts that each pending invitation was sent by a member who may still send it. */
function assertEntitledSenders({ members, invitations, sent }: State): void {
  for (const [id, { sender, role }] of sent) {
    const own = members.get(sender) as Role | undefined;
    const isEntitled = own !== undefined && can(own, 'invitation:create') && isAtLeast(own, role as Role);
    if (invitations.get(id) === 'pending' && !isEntitled) throw new Error(`${sender} may not send ${id}`);
  }
}

/** Asserts that the open offer is from an owner to a member. */
function assertEntitledOffer({ members, offer }: State): void {
  if (offer === undefined) return;
  if (members.get(offer.from) !== 'owner') throw new Error('the team is offered by no owner');
  if (!members.has(offer.to)) throw new Error('the team is offered to no member');
}
