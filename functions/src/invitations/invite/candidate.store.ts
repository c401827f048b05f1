import { isAtLeast, type Role } from '@hearth/shared/roles';
import { damageAsValue } from '../../firestore/damage.ts';
import type { Reads } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import { isIntact } from '../../firestore/query.ts';
import { refusal, Refusal } from '../../refusals/refusals.ts';
import { hasMemberWith } from '../../teams/members/member.store.ts';
import { pendingFor } from '../invitation.store.ts';
import { isOpen } from '../invitation.ts';
import { findSender } from '../sender.store.ts';

export interface InviteRequest {
  /** Lower case. */
  email: string;
  role: Role;
}

export type StoredInvitation = Invitation & { id: string; email: string };

/** A request to invite an address, with the documents that decide its result. */
export interface Candidate extends InviteRequest {
  /** True if the address occurs earlier in the same list. */
  isRepeated: boolean;
  isMember: boolean;
  /** The invitation that the address has, open or expired. */
  pending: StoredInvitation | undefined;
  /** True if the pending invitation has the requested role, and its sender can still invite to this role. */
  pendingMatchesRequest: boolean;
}

/** Reads a candidate for each request. If a document of one candidate is damaged, only that request is refused. */
export function readCandidates(
  reads: Reads,
  teamId: string,
  requests: readonly InviteRequest[],
): Promise<(Candidate | Refusal)[]> {
  const seen = new Set<string>();
  const marked = requests.map((request) => {
    const isRepeated = seen.has(request.email);
    seen.add(request.email);
    return { ...request, isRepeated };
  });
  return Promise.all(marked.map((request) => damageAsValue(readCandidate(reads, teamId, request))));
}

async function readCandidate(
  reads: Reads,
  teamId: string,
  request: InviteRequest & { isRepeated: boolean },
): Promise<Candidate | Refusal> {
  const { email, role } = request;
  const [isMember, [found]] = await Promise.all([
    hasMemberWith(reads, teamId, email),
    pendingFor(reads, teamId, email).limit(1).findWithDamaged(),
  ]);
  if (found !== undefined && !isIntact(found)) return found.damage;
  const pending = found && { ...found.data, email, id: found.id };
  const pendingMatchesRequest = pending?.role === role && (await findSender(reads, pending)) !== undefined;
  return { ...request, isMember, pending, pendingMatchesRequest };
}

/** The result of a request: the open invitation that the address has, a new one, or a refusal. */
export type Decision = StoredInvitation | 'new' | Refusal;

/** @param free seats of the team that are not occupied */
export function decide(candidate: Candidate, senderRole: Role, free: number, now: Date): Decision {
  const { email, role, isRepeated, isMember, pending, pendingMatchesRequest } = candidate;
  if (isRepeated) return refusal('duplicate_email', { email });
  if (!isAtLeast(senderRole, role)) return refusal('invite_above_own', { role });
  if (isMember) return refusal('recipient_is_member');
  const open = pending !== undefined && isOpen(pending, now) ? pending : undefined;
  if (open !== undefined && pendingMatchesRequest) return open;
  if (open !== undefined && !isAtLeast(senderRole, open.role)) {
    return refusal('replace_above_own', { role: open.role });
  }
  return free >= seatsNeeded(candidate, now) ? 'new' : refusal('no_seat');
}

/** The free seats that a new invitation needs: none if the address already has an open invitation. */
export function seatsNeeded({ pending }: Pick<Candidate, 'pending'>, now: Date): number {
  return pending !== undefined && isOpen(pending, now) ? 0 : 1;
}
