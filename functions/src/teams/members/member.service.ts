import { isAtLeast, type Action, type Role } from '@hearth/shared/roles';
import { verifiedEmailOf, type Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { AuditAction } from '../../firestore/documents/audit-entry.ts';
import type { Member } from '../../firestore/documents/member.ts';
import { readPage, type PageRequest, type PageOf } from '../../firestore/page.ts';
import { writeMail } from '../../mail/outbox.store.ts';
import { removedMail } from '../../mail/templates/team.ts';
import { refusal } from '../../refusals/refusals.ts';
import { requireRoleNotAboveOwn, authorize, type AuthorizedMember } from '../authorize.store.ts';
import { enqueueTeamContactSyncOrLog, enqueueSeatSyncOrLog } from '../enqueue-billing-syncs.ts';
import { memberViewOf, type MemberView } from '../team.view.ts';
import { ensureOtherResponsibleOwner } from './ownership.store.ts';
import { endRemainingRightsOrLog, endRights } from './rights.store.ts';

/** Lists the members in the order in which they joined. */
export async function listMembers(
  { db }: Backend,
  caller: Caller,
  teamId: string,
  page: PageRequest,
): Promise<PageOf<MemberView>> {
  await authorize(db, caller, teamId, 'member:list');
  return readPage(db.members(teamId), page, { by: 'joinedAt', direction: 'asc' }, ({ data }) =>
    memberViewOf(data),
  );
}

export interface MemberKey {
  teamId: string;
  uid: string;
}

/**
 * Changes the role of a member. Cannot make a member an owner, because that needs consent: see `offerTransfer`.
 *
 * @throws Refusal as `authorize`; `member_not_found`, `role_above_own`, `consent_required` for a new owner,
 *   `last_owner`
 */
export async function changeRole(
  backend: Backend,
  caller: Caller,
  key: MemberKey,
  role: Role,
): Promise<MemberView> {
  const { team, member, isComplete } = await backend.db.run(async (tx) => {
    const change = await beginChange(tx, caller, key, 'member:update');
    const { actor, target } = change;
    requireRoleNotAboveOwn(actor.member, target.role);
    requireRoleNotAboveOwn(actor.member, role);
    const { team } = actor;
    if (target.role === role) return { team, member: target, isComplete: true };
    if (role === 'owner') throw refusal('consent_required');
    const isDemotion = isAtLeast(target.role, role);
    const isComplete = !isDemotion || (await endRightsOfTarget(backend, change, { role }));
    if (target.role === 'owner') await handOverResponsibility(change);
    tx.members(key.teamId).update(key.uid, { role });
    record(backend, change, 'member.role_changed', { from: target.role, to: role });
    return { team, member: { ...target, role }, isComplete };
  });
  if (!isComplete) await endRemainingRightsOrLog(backend, { ...key, actorId: caller.uid });
  await enqueueTeamContactSyncOrLog(backend, key.teamId, team);
  return memberViewOf(member);
}

/**
 * Removes a member from the team: another person, or the caller who leaves.
 *
 * @throws Refusal as `authorize`; `member_not_found`, `role_above_own`, `last_owner`
 */
export async function removeMember(
  backend: Backend,
  caller: Pick<Caller, 'uid'> & Partial<Pick<Caller, 'email' | 'emailVerified'>>,
  key: MemberKey,
): Promise<void> {
  const { teamId, uid } = key;
  const isLeaving = uid === caller.uid;
  const { email, emailVerified = false } = caller;
  // The membership may have an older address.
  const ownEmail = isLeaving ? verifiedEmailOf({ email, emailVerified }) : null;
  const { team, isComplete } = await backend.db.run(async (tx) => {
    const change = await beginChange(tx, caller, key, isLeaving ? 'member:leave' : 'member:remove');
    const { actor, target } = change;
    requireRoleNotAboveOwn(actor.member, target.role);
    const isComplete = await endRightsOfTarget(backend, change, { role: undefined, email: ownEmail });
    if (target.role === 'owner') await handOverResponsibility(change);
    tx.members(teamId).delete(uid);
    const details = { role: target.role, email: target.email };
    record(backend, change, isLeaving ? 'member.left' : 'member.removed', details);
    if (!isLeaving) writeRemovedMail(backend, change);
    return { team: actor.team, isComplete };
  });
  if (!isComplete) await endRemainingRightsOrLog(backend, { ...key, actorId: caller.uid });
  await enqueueSeatSyncOrLog(backend, teamId, team);
  await enqueueTeamContactSyncOrLog(backend, teamId, team);
}

interface MemberChange {
  readonly tx: Tx;
  readonly teamId: string;
  /** The team, and the membership of the caller. */
  readonly actor: AuthorizedMember;
  readonly target: Member;
}

/** @throws Refusal as `authorize`; `member_not_found` */
async function beginChange(
  tx: Tx,
  caller: Pick<Caller, 'uid'>,
  { teamId, uid }: MemberKey,
  action: Action,
): Promise<MemberChange> {
  const actor = await authorize(tx, caller, teamId, action);
  const target = await tx.members(teamId).get(uid);
  if (target === undefined) throw refusal('member_not_found');
  return { tx, teamId, actor, target };
}

/**
 * Ends the rights that the target can no longer give.
 *
 * @param after.role the new role of the target; undefined if the membership ends
 * @param after.email the verified address of the target's account, if it is known
 * @returns as `EndGivenRights`
 */
async function endRightsOfTarget(
  backend: Backend,
  { tx, teamId, actor, target }: MemberChange,
  { role, email = null }: { role: Role | undefined; email?: string | null },
): Promise<boolean> {
  const { uid } = target;
  const emails = [target.email, email];
  const loss = { teamId, uid, emails, role, actorId: actor.member.uid, now: backend.now() };
  return endRights(tx, loss, actor.team, backend.featureHooks.endGivenRights);
}

/** @throws Refusal `last_owner` */
async function handOverResponsibility({ tx, teamId, actor, target }: MemberChange): Promise<void> {
  const hasOther = await ensureOtherResponsibleOwner(tx, { id: teamId, data: actor.team }, target.uid);
  if (!hasOther) throw refusal('last_owner');
}

function writeRemovedMail({ config, now }: Backend, { tx, actor, target }: MemberChange): void {
  if (!config.mailRemoved || target.email === null) return;
  writeMail(tx, { to: target.email, message: removedMail(actor.team.name, config.mailLanguage) }, now());
}

function record(
  { now }: Backend,
  { tx, teamId, actor, target }: MemberChange,
  action: AuditAction,
  details: Record<string, string | null>,
): void {
  tx.audit.record({ teamId, actorId: actor.member.uid, action, target: target.uid, at: now(), details });
}
